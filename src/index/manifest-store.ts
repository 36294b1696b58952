/**
 * The store of the manifest, which is the only file of an index that changes. A writer replaces the manifest
 * that it has read. If another writer has replaced it in the meantime, the change is refused, and the index
 * stays consistent.
 *
 * The built-in store is one local file, `manifest.json`, which is replaced atomically. The caller of
 * `compareAndSwap` holds the lock of the index; without it, two processes that compare at the same moment could
 * both succeed.
 */
import type { Directory } from '../base/mod.ts';
import { type Manifest, readManifest, swapManifest } from './manifest.ts';

export interface ManifestStore {
  /** Reads the manifest. If no index was ever built, returns an empty manifest. */
  read(): Promise<Manifest>;
  /**
   * Replaces the manifest by `next` if it still equals `expected`. Otherwise returns false and changes nothing.
   */
  compareAndSwap(expected: Manifest, next: Manifest): Promise<boolean>;
  /**
   * Calls `onChange` with the current manifest, and again after each change; changes in quick succession may be
   * reported as one. Calls `onFailure` if the manifest cannot be read; the watch continues. Returns a function
   * that ends the watch.
   */
  watch(onChange: (manifest: Manifest) => void, onFailure: (error: unknown) => void): () => void;
}

const POLL_MS = 500;

/** Opens the store in `manifest.json` of a local directory. */
export function openManifestStore(directory: Directory, { pollMs = POLL_MS } = {}): ManifestStore {
  return {
    read: async () => readManifest(directory),
    compareAndSwap: async (expected, next) => swapManifest(directory, expected, next),
    watch: (onChange, onFailure) => watchFile(directory, pollMs, onChange, onFailure),
  };
}

/**
 * Watches the manifest file by polling, because notifications of changed files are not reliable on network file
 * systems.
 */
function watchFile(
  directory: Directory,
  pollMs: number,
  onChange: (manifest: Manifest) => void,
  onFailure: (error: unknown) => void,
): () => void {
  let last: Manifest | null = null;
  const check = () => {
    try {
      const manifest = readManifest(directory);
      if (last?.id === manifest.id && last.generation === manifest.generation) return;
      last = manifest;
      onChange(manifest);
    } catch (error) {
      onFailure(error);
    }
  };
  check();
  const timer = setInterval(check, pollMs);
  timer.unref();
  return () => clearInterval(timer);
}
