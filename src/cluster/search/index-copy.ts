/**
 * Keeps a local copy of a shard's index up to date.
 *
 *   manifest changes -> files are brought -> manifest is written -> readers switch -> old files are removed
 *
 * If a step fails, it is repeated after a pause with the newest manifest: a file that is missing in S3 was replaced by
 * the indexer, and a newer manifest does not list it.
 */
import { type Log, messageOf, sleep } from '../../base/mod.ts';
import { type CachedSegments, type Manifest, type ManifestStore, writeManifest } from '../../index/mod.ts';

const RETRY_MS = 1_000;

interface IndexCopyOptions {
  shard: string;
  manifests: ManifestStore;
  cache: CachedSegments;
  log: Log;
  /**
   * Makes the readers switch to the manifest in the directory of the cache. `isRepaired` is true if damaged
   * files were replaced, so that readers must open all files again.
   */
  onChange(isRepaired: boolean): Promise<void>;
}

export class IndexCopy {
  readonly #options: IndexCopyOptions;
  readonly #ending = new AbortController();
  readonly #finished: Promise<void>;
  readonly #endWatch: () => void;
  #wanted: Manifest | null = null;
  #isDamaged = false;
  /** Resolves when there is a manifest to switch to. */
  #wake = Promise.withResolvers<void>();

  constructor(options: IndexCopyOptions) {
    this.#options = options;
    const { manifests, log, shard } = options;
    this.#endWatch = manifests.watch(
      (manifest) => this.#want(manifest),
      (error) => log.warn('manifest not read', { shard, reason: messageOf(error) }),
    );
    this.#finished = this.#follow();
  }

  /** Verifies all files, fetches damaged ones again, and makes the readers open them again. */
  repair(): void {
    this.#isDamaged = true;
    this.#wake.resolve();
  }

  /** Ends the updates. Resolves when no step is in progress. */
  async close(): Promise<void> {
    this.#endWatch();
    this.#ending.abort();
    this.#wake.resolve();
    await this.#finished;
  }

  #want(manifest: Manifest): void {
    this.#wanted = manifest;
    this.#wake.resolve();
  }

  async #follow(): Promise<void> {
    const { signal } = this.#ending;
    let manifest: Manifest | null = null;
    for (let trouble = ''; ; ) {
      await this.#wake.promise;
      if (signal.aborted) return;
      this.#wake = Promise.withResolvers();
      manifest = this.#wanted ?? manifest;
      if (!manifest) continue;
      try {
        await this.#switchTo(manifest);
        trouble = '';
      } catch (error) {
        const reason = messageOf(error);
        if (reason !== trouble)
          this.#options.log.warn('index not updated', { shard: this.#options.shard, reason });
        trouble = reason;
        await sleep(RETRY_MS, signal);
        this.#wake.resolve();
      }
    }
  }

  async #switchTo(manifest: Manifest): Promise<void> {
    const { cache, onChange } = this.#options;
    const isRepaired = this.#isDamaged;
    if (isRepaired) cache.distrust();
    await cache.bring(manifest);
    writeManifest(cache.directory, manifest);
    await onChange(isRepaired);
    await cache.evict(manifest);
    if (isRepaired) this.#isDamaged = false;
  }
}
