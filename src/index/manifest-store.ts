/**
 * The store of the manifest, which is the only file that changes when an index changes. A writer replaces the
 * manifest that it has read; if another writer was faster, the replacement is refused, and the index stays whole.
 *
 * The embedded store is one file, `manifest.json`, which is replaced atomically; index-writer.ts and index-reader.ts
 * use the same functions without waiting, because their files are local. The caller of `compareAndSwap` holds the lock
 * of the index: two processes that compare at the same moment would both succeed otherwise.
 */
import type { Directory } from '../base/mod.ts';
import { type Manifest, readManifest, swapManifest } from './manifest.ts';

export interface ManifestStore {
  /** An index that was never built reads as empty. */
  read(): Promise<Manifest>;
  /** Replaces the manifest if it still is `expected`. Otherwise returns false and changes nothing. */
  compareAndSwap(expected: Manifest, next: Manifest): Promise<boolean>;
  /**
   * Calls `onChange` with the current manifest, and again after changes; of changes in quick succession only the last
   * may be seen. `onFailure` gets the error of a manifest that cannot be read; the watch continues. Returns a function
   * that ends the watch.
   */
  watch(onChange: (manifest: Manifest) => void, onFailure: (error: unknown) => void): () => void;
}

const POLL_MS = 500;

/** The store in `manifest.json` of a local directory. */
export function openManifestStore(directory: Directory, { pollMs = POLL_MS } = {}): ManifestStore {
  return {
    read: async () => readManifest(directory),
    compareAndSwap: async (expected, next) => swapManifest(directory, expected, next),
    watch: (onChange, onFailure) => watchFile(directory, pollMs, onChange, onFailure),
  };
}

/** Polls, because notifications of changed files are not reliable on network file systems. */
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
