/**
 * A thread that computes the vectors of documents that have none, the most important documents first. It writes
 * them to batch files; the process that holds the lock of the index applies the batch files.
 */
import {
  type Directory,
  directoryAt,
  GyreError,
  isMemoryFull,
  type Log,
  openDirectory,
  sleep,
} from '../../base/mod.ts';
import { embedDocuments, hasVectorBatches, missingVectors, writeVectorBatch } from '../../build/mod.ts';
import { IndexReader } from '../../index/mod.ts';
import { type Embedder, embedderOf, type LoadedModel } from '../../meaning/mod.ts';
import { type DataDirectory, openData } from '../data-directory.ts';
import { lockIndex } from '../locks.ts';
import { stderrLog } from '../output.ts';
import { applyWaitingVectors } from '../sessions/waiting-vectors.ts';
import type { Config } from '../settings/mod.ts';
import { ShownPages } from './shown-pages.ts';
import { runThread } from './thread.ts';

/** Maximum number of documents in a batch file of vectors. */
const BATCH_DOCUMENTS = 512;
/** Number of documents that are embedded in one step. The thread can stop between two steps. */
const STEP_DOCUMENTS = 8;
const POLL_MS = 1000;

export interface MeaningThreadInput {
  config: Config;
  indexes: readonly EmbeddedIndex[];
  model: LoadedModel;
  /** Number of the embedder that this thread uses. Each thread that shares the model has an embedder of its own. */
  embedder: number;
  /** Number of this thread. The documents are divided among `parts` threads. */
  part: number;
  parts: number;
  /**
   * Shared memory with one number: the percentage of the time during which the thread works. The owner of the
   * thread may change it at any time.
   */
  pace: SharedArrayBuffer;
  /**
   * True if this thread also applies the vectors to the index of the data directory, whenever no other process holds the
   * index lock.
   */
  applies: boolean;
  /** Shared memory with the counts of `ShownPages`. */
  shown: SharedArrayBuffer;
}

/** Numbers of documents with and without vectors, among those assigned to this thread. */
export interface MeaningReport {
  embedded: number;
  /** Number of documents in languages that the model does not know. */
  unsuitable: number;
  missing: number;
  /** Mean time per page since the thread started; 0 before the first page. */
  msPerPage: number;
}

/** An index whose documents get vectors, and the directory for the batch files, as paths. */
export interface EmbeddedIndex {
  index: string;
  batches: string;
}

runThread<MeaningThreadInput, MeaningReport>(async (input, report, signal) => {
  const { config, applies } = input;
  const data = openData(config.data);
  const log = stderrLog(config);
  const embedder = embedderOf(input.model, input.embedder);
  const pacer = new Pacer(new Int32Array(input.pace), signal);
  const works = input.indexes.map((each) => new IndexWork(each, input, embedder, log));
  while (!signal.aborted) {
    let isIdle = true;
    for (const work of works) {
      const reportAll = () => report({ ...sumOf(works), msPerPage: pacer.msPerPage });
      if (await work.embedBatch(pacer, reportAll)) isIdle = false;
    }
    if (isIdle) await sleep(POLL_MS, signal);
    if (applies && hasVectorBatches(data.meaning)) applyIfUnlocked(data, log);
  }
  for (const work of works) work.close();
});

/** Keeps the share of time in which the thread works, and measures the time per page. */
class Pacer {
  readonly signal: AbortSignal;
  readonly #pace: Int32Array;
  #pages = 0;
  #totalMs = 0;

  constructor(pace: Int32Array, signal: AbortSignal) {
    this.#pace = pace;
    this.signal = signal;
  }

  get msPerPage(): number {
    return this.#pages > 0 ? this.#totalMs / this.#pages : 0;
  }

  /** Runs `work` on a number of pages, and then pauses. */
  async run<T>(pages: number, work: () => T): Promise<T> {
    const startedAt = performance.now();
    const result = work();
    const workedMs = performance.now() - startedAt;
    this.#totalMs += workedMs;
    this.#pages += pages;
    await sleep(workedMs * (100 / Math.max(1, Atomics.load(this.#pace, 0)) - 1), this.signal);
    return result;
  }
}

/** The work on one index. */
class IndexWork {
  readonly #reader: IndexReader;
  readonly #batches: Directory;
  readonly #embedder: Embedder;
  readonly #part: Pick<MeaningThreadInput, 'part' | 'parts'>;
  readonly #shown: ShownPages;
  /** Fingerprints of documents whose vectors are in batch files and not in the index yet. */
  #waiting = new Set<bigint>();
  counts = { embedded: 0, unsuitable: 0, missing: 0 };

  constructor(
    { index, batches }: EmbeddedIndex,
    { part, parts, shown }: MeaningThreadInput,
    embedder: Embedder,
    log: Log,
  ) {
    this.#reader = new IndexReader(directoryAt(index), log, { verifiesLater: true });
    this.#batches = openDirectory(batches);
    this.#embedder = embedder;
    this.#part = { part, parts };
    this.#shown = new ShownPages(shown);
  }

  /** Writes the vectors of the next documents to a batch file. Returns false if no document needs a vector. */
  async embedBatch(pacer: Pacer, onProgress: () => void): Promise<boolean> {
    if (!hasVectorBatches(this.#batches)) this.#waiting = new Set();
    this.#reader.refresh();
    const timesShown = (fingerprint: bigint) => this.#shown.countOf(fingerprint);
    const wanted = { ...this.#part, waiting: this.#waiting, timesShown };
    const { missing, ...counts } = missingVectors(this.#reader, this.#embedder, wanted);
    this.counts = { ...counts, missing: missing.length };
    onProgress();
    // If memory is full, no vectors are computed until there is memory again.
    const chosen = isMemoryFull() ? [] : missing.slice(0, BATCH_DOCUMENTS);
    const entries = [];
    for (let at = 0; at < chosen.length && !pacer.signal.aborted; at += STEP_DOCUMENTS) {
      const step = chosen.slice(at, at + STEP_DOCUMENTS);
      entries.push(...(await pacer.run(step.length, () => embedDocuments(step, this.#embedder))));
      const embedded = counts.embedded + entries.length;
      this.counts = { ...counts, embedded, missing: missing.length - entries.length };
      onProgress();
    }
    for (const { fingerprint } of entries) this.#waiting.add(fingerprint);
    if (entries.length > 0) writeVectorBatch(this.#batches, this.#embedder, entries, this.#part.part);
    return entries.length > 0;
  }

  close(): void {
    this.#reader.close();
  }
}

function sumOf(works: readonly IndexWork[]): Omit<MeaningReport, 'msPerPage'> {
  return works.reduce(
    (sum, { counts }) => ({
      embedded: sum.embedded + counts.embedded,
      unsuitable: sum.unsuitable + counts.unsuitable,
      missing: sum.missing + counts.missing,
    }),
    { embedded: 0, unsuitable: 0, missing: 0 },
  );
}

/**
 * Applies the batch files to the index, unless another process holds the index lock. In that case this or another
 * process applies them later.
 */
function applyIfUnlocked(data: DataDirectory, log: Log): void {
  const lock = lockIfFree(data);
  if (!lock) return;
  try {
    applyWaitingVectors(data, log);
  } finally {
    lock.release();
  }
}

function lockIfFree({ root }: DataDirectory): ReturnType<typeof lockIndex> | null {
  try {
    return lockIndex(root);
  } catch (error) {
    if (error instanceof GyreError && error.code === 'in-use') return null;
    throw error;
  }
}
