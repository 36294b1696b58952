/**
 * Computes the vectors of the pages of an index node, for search by meaning. One thread works on all shards that the node
 * owns; their indexers apply its batch files.
 */
import { join } from 'node:path';
import { type Directory, type Log, messageOf, openDirectory } from '../../base/mod.ts';
import type { LoadedModel } from '../../meaning/mod.ts';
import type { Config } from '../settings/mod.ts';
import {
  type EmbeddedIndex,
  loadSharedModel,
  type MeaningReport,
  type MeaningThreadInput,
  ShownPages,
  startThread,
  type Thread,
} from '../threads/mod.ts';

/**
 * The time between two applications of vectors to a shard. Each one uploads the vectors of the changed segments again, so
 * shorter intervals would upload them many times.
 */
const APPLY_MS = 30_000;

export class ShardVectors {
  readonly #config: Config;
  readonly #log: Log;
  readonly #model: LoadedModel;
  #indexes: readonly EmbeddedIndex[] = [];
  #thread: Thread | null = null;
  #isIdle = false;
  readonly #appliedMs = new Map<string, number>();

  private constructor(config: Config, log: Log, model: LoadedModel) {
    this.#config = config;
    this.#log = log;
    this.#model = model;
  }

  /** Loads the model. Returns null if search by meaning is off, or the model cannot be used. */
  static async open(config: Config, log: Log, signal: AbortSignal): Promise<ShardVectors | null> {
    try {
      const model = await loadSharedModel(config, 1, signal);
      return model && new ShardVectors(config, log, model);
    } catch (error) {
      if (!signal.aborted) log.warn('no search by meaning', { reason: messageOf(error) });
      return null;
    }
  }

  /** Works on the indexes in these directories from now on. */
  async follow(directories: readonly Directory[]): Promise<void> {
    const indexes = directories.map((index) => ({ index: index.path, batches: batchesOf(index).path }));
    if (JSON.stringify(indexes) === JSON.stringify(this.#indexes)) return;
    await this.close();
    this.#indexes = indexes;
    if (indexes.length > 0) this.#start();
  }

  /**
   * Returns the directory with the batch files for an index if they are to be applied now: some time after the last
   * ones, or at once if no page needs a vector.
   */
  dueBatches(index: Directory): Directory | null {
    const nowMs = performance.now();
    const lastMs = this.#appliedMs.get(index.path);
    if (lastMs !== undefined && nowMs - lastMs < APPLY_MS && !this.#isIdle) return null;
    this.#appliedMs.set(index.path, nowMs);
    return batchesOf(index);
  }

  /** Returns the directory with the batch files for an index. */
  batchesOf(index: Directory): Directory {
    return batchesOf(index);
  }

  async close(): Promise<void> {
    this.#indexes = [];
    const thread = this.#thread;
    this.#thread = null;
    thread?.abandon();
    await thread?.ended.catch(() => {});
  }

  #start(): void {
    const input: MeaningThreadInput = {
      config: this.#config,
      indexes: this.#indexes,
      model: this.#model,
      embedder: 0,
      part: 0,
      parts: 1,
      pace: new Int32Array(new SharedArrayBuffer(4)).fill(this.#config.meaning.cpuShare).buffer,
      applies: false,
      shown: new ShownPages().buffer,
    };
    const file = new URL('../threads/meaning-thread.ts', import.meta.url);
    const thread = startThread<MeaningThreadInput, MeaningReport>(file, input, ({ missing }) => {
      this.#isIdle = missing === 0;
    });
    this.#thread = thread;
    thread.ended.catch((error: unknown) => {
      if (this.#thread !== thread) return;
      this.#log.error('vectors not computed', { reason: messageOf(error) });
      // The next update starts another thread.
      this.#indexes = [];
      this.#thread = null;
    });
  }
}

/** Returns the directory for the batch files of an index, which is beside the index. */
function batchesOf(index: Directory): Directory {
  return openDirectory(join(index.path, '..', `${index.path.split('/').at(-1)}-vectors`));
}
