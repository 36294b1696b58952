/**
 * Starts the threads of the search pool, with limits for their heaps.
 *
 * V8 often collects the garbage of a thread with a small heap limit: it starts a collection of the whole heap
 * when the heap has grown by a third. In a search thread this happens every 15 queries. Such a collection takes
 * longer than a query, and drops compiled code that must then be compiled again. Therefore the heaps of a
 * process that serves queries may double between two collections. A query allocates some megabytes; the young
 * generation has room for the objects of several queries, so that few objects of a query live long enough to
 * reach the old generation.
 */

import { setFlagsFromString } from 'node:v8';
import type { ResourceLimits } from 'node:worker_threads';
import { WorkerChannel } from '../../base/mod.ts';
import { type Config, memoryShareOf, SHARES } from '../settings/mod.ts';

export interface SearchThreadInput {
  config: Config;
  cacheBytes: number;
  answerBytes: number;
  /**
   * Shared memory with one number. If the pool sets it to a nonzero value, the running query stops and returns the
   * matches that it has found so far.
   */
  hurry: SharedArrayBuffer;
  /** Number of the thread in the pool. A thread that replaces another one has the same number. */
  slot: number;
  /** True for one thread of the pool, which loads the words for spelling corrections when it starts. */
  isCorrecting: boolean;
}

export interface StartedThread<Request, Reply> {
  channel: WorkerChannel<Request, Reply>;
  hurry: Int32Array;
}

const MI = 1024 * 1024;
/** With less memory than this, V8 decides how far the heaps of the process grow. */
const AMPLE_MEMORY_BYTES = 1024 * MI;
/** How much a heap may grow between two collections of the whole heap. V8 applies it to all threads of the process. */
const GROWING_PERCENT = 100;

/** Starts the thread with the number `slot`, whose program is `file`. */
export function startSearchThread<Request, Reply>(
  config: Config,
  file: URL,
  slot: number,
): StartedThread<Request, Reply> {
  if (config.memoryBytes >= AMPLE_MEMORY_BYTES)
    setFlagsFromString(`--heap-growing-percent=${GROWING_PERCENT}`);
  const hurry = new SharedArrayBuffer(4);
  const { postingsCacheBytes: cache, answerCacheBytes: answerCache, threads } = config.serve;
  const data: SearchThreadInput = {
    config,
    cacheBytes: Math.floor(cache / threads),
    answerBytes: Math.floor(answerCache / 2 / threads),
    hurry,
    slot,
    isCorrecting: slot === 0,
  };
  const channel = new WorkerChannel<Request, Reply>(file, { data, resourceLimits: heapLimits(config) });
  return { channel, hurry: new Int32Array(hurry) };
}

/**
 * Returns the limits for the heap of a search thread. Postings and tables are outside of the heap and do not
 * count.
 */
function heapLimits({ memoryBytes }: Config): ResourceLimits {
  return {
    maxOldGenerationSizeMb: Math.ceil(memoryShareOf(memoryBytes, SHARES.searchHeap) / MI),
    maxYoungGenerationSizeMb: Math.ceil(memoryShareOf(memoryBytes, SHARES.searchYoung) / MI),
  };
}
