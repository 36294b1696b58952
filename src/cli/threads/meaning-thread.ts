/**
 * A thread that computes the vectors of documents that have none, the most important documents first. It writes
 * them to batch files in `meaning/`; the process that holds the lock of the index applies the batch files.
 */
import { GyreError, isMemoryFull, type Log, sleep } from '../../base/mod.ts';
import { embedDocuments, hasVectorBatches, missingVectors, writeVectorBatch } from '../../build/mod.ts';
import { IndexReader } from '../../index/mod.ts';
import { embedderOf, type LoadedModel } from '../../meaning/mod.ts';
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
  /** True if this thread also applies the vectors to the index, whenever no other process holds the index lock. */
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

runThread<MeaningThreadInput, MeaningReport>(async (input, report, signal) => {
  const { config, part, parts, applies } = input;
  const pace = new Int32Array(input.pace);
  const data = openData(config.data);
  const log = stderrLog(config);
  const embedder = embedderOf(input.model, input.embedder);
  const reader = new IndexReader(data.index, log, { verifiesLater: true });
  const shown = new ShownPages(input.shown);
  const timesShown = (fingerprint: bigint) => shown.countOf(fingerprint);
  let pages = 0;
  let totalMs = 0;
  /** Fingerprints of documents whose vectors are in batch files and not in the index yet. */
  let waiting = new Set<bigint>();
  while (!signal.aborted) {
    if (!hasVectorBatches(data.meaning)) waiting = new Set();
    reader.refresh();
    const { missing, ...counts } = missingVectors(reader, embedder, { part, parts, waiting, timesShown });
    const msPerPage = () => (pages > 0 ? totalMs / pages : 0);
    report({ ...counts, missing: missing.length, msPerPage: msPerPage() });
    // If memory is full, no vectors are computed until there is memory again.
    const chosen = isMemoryFull() ? [] : missing.slice(0, BATCH_DOCUMENTS);
    const entries = [];
    for (let at = 0; at < chosen.length && !signal.aborted; at += STEP_DOCUMENTS) {
      const startedAt = performance.now();
      entries.push(...embedDocuments(chosen.slice(at, at + STEP_DOCUMENTS), embedder));
      const workedMs = performance.now() - startedAt;
      totalMs += workedMs;
      pages += Math.min(STEP_DOCUMENTS, chosen.length - at);
      await sleep(workedMs * (100 / Math.max(1, Atomics.load(pace, 0)) - 1), signal);
      const embedded = counts.embedded + entries.length;
      report({ ...counts, embedded, missing: missing.length - entries.length, msPerPage: msPerPage() });
    }
    for (const { fingerprint } of entries) waiting.add(fingerprint);
    if (entries.length > 0) writeVectorBatch(data.meaning, embedder, entries, part);
    else await sleep(POLL_MS, signal);
    if (applies && hasVectorBatches(data.meaning)) applyIfUnlocked(data, log);
  }
  reader.close();
});

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
