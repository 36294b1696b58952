/** A search thread of the pool in search-pool.ts: receives queries and returns responses. */
import { workerData } from 'node:worker_threads';
import { messageOf, serveChannel, systemClock } from '../../base/mod.ts';
import { type Embedder, embedderOf } from '../../meaning/mod.ts';
import type { Arrival, IndexStats } from '../../query/mod.ts';
import { readData } from '../data-directory.ts';
import { stderrLog } from '../output.ts';
import { type LocalSearching, openLocalSearching } from '../sessions/local-searching.ts';
import type { SearchReply, ToSearchThread } from './search-pool.ts';
import type { SearchThreadInput } from './search-thread-start.ts';

const { config, cacheBytes, answerBytes, hurry, slot, isCorrecting } = workerData as SearchThreadInput;
const log = stderrLog(config);
const hurried = new Int32Array(hurry);
const isHurried = () => Atomics.load(hurried, 0) !== 0;
/** The error of the last refresh, so that it is logged only once. */
let trouble = '';

/**
 * The warm-up takes this much processor time, in milliseconds; the next constant is its maximum duration.
 * Processor time is used because on a busy machine only a few queries run in a second.
 */
const WARM_UP_CPU_MS = 1000;
const MAX_WARM_UP_MS = 10_000;
/**
 * FURTHER_AFTER_MS later, the warm-up continues whenever no question has arrived for QUIET_MS: one query at a time, with a pause after
 * each. A question waits for one query at most.
 */
const FURTHER_AFTER_MS = 10_000;
const QUIET_MS = 500;
const PAUSE_MS = 10;
/** The processor time of this part of the warm-up, including questions that arrive meanwhile. */
const FURTHER_CPU_MS = 2500;

let searcher: LocalSearching | null = null;
/** The time of the last question, by `performance.now()`. */
let askedAt = 0;
let isClosed = false;
/** Turns queries into vectors; null until the pool sends the model, and if there is none. */
let embedder: Embedder | null = null;
serveChannel<ToSearchThread, SearchReply>({
  handle: (request) => {
    searcher ??= openLocalSearching(readData(config.data), config, log, {
      cacheBytes,
      answerBytes,
      isHurried,
      verifiesLater: true,
      embedder: () => embedder,
    });
    return answer(searcher, request);
  },
  isLast: ({ kind }) => kind === 'close',
});

/**
 * Runs sample queries before the first real query arrives, so that the code of queries is compiled. Ends early if the
 * pool is closed.
 */
async function warmUp(searcher: LocalSearching): Promise<void> {
  const endsAt = performance.now() + MAX_WARM_UP_MS;
  const cpuEndsAt = threadCpuMs() + WARM_UP_CPU_MS;
  try {
    await searcher.warmUp(() => isHurried() || threadCpuMs() > cpuEndsAt || performance.now() > endsAt);
    if (isCorrecting && !isHurried()) searcher.loadVocabulary();
    // The first questions often arrive as soon as all threads are ready, and would share the processor with the warm-up.
    const cpuMs = threadCpuMs() + FURTHER_CPU_MS;
    setTimeout(() => warmFurther(searcher, cpuMs), FURTHER_AFTER_MS).unref();
  } catch (error) {
    log.warn('warm-up failed', { reason: messageOf(error) });
  }
}

/** Continues the warm-up after a pause, until this thread has used `cpuMs` of processor time. */
function warmFurther(searcher: LocalSearching, cpuMs: number): void {
  setTimeout(async () => {
    if (isClosed || threadCpuMs() > cpuMs) return;
    const isQuiet = performance.now() - askedAt >= QUIET_MS;
    if (!isQuiet || !(await hasWarmed(searcher))) warmFurther(searcher, cpuMs);
  }, PAUSE_MS).unref();
}

/** Runs one query of the warm-up. Returns true if no further one is useful: none is left, or it failed. */
async function hasWarmed(searcher: LocalSearching): Promise<boolean> {
  let count = 0;
  try {
    return await searcher.warmUp(() => count++ > 0);
  } catch (error) {
    log.warn('warm-up failed', { reason: messageOf(error) });
    return true;
  }
}

/** Returns the processor time that this thread has used. */
function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

async function answer(searcher: LocalSearching, request: ToSearchThread): Promise<SearchReply> {
  switch (request.kind) {
    case 'open':
      return searcher.stats();
    case 'useModel':
      embedder = embedderOf(request.model, slot);
      return null;
    case 'warmUp':
      await warmUp(searcher);
      return null;
    case 'search':
      askedAt = performance.now();
      return searcher.search({ ...request.request, ...arrival(request.waitedMs) });
    case 'explain': {
      const options = { ...request.request, ...arrival(request.waitedMs) };
      return (await searcher.explain?.(request.query, request.url, options)) ?? null;
    }
    case 'refresh':
      return refresh(searcher);
    case 'close':
      isClosed = true;
      searcher.close();
      return null;
  }
}

/** Converts `waitedMs`, the time that a query has waited, to its arrival time on the clock of this thread. */
function arrival(waitedMs: number): Arrival {
  return { arrivedAt: systemClock.now() - waitedMs };
}

/** Switches to the newest index. It runs twice a second, so each failure is logged only once. */
function refresh(searcher: LocalSearching): IndexStats {
  try {
    searcher.refresh();
    trouble = '';
  } catch (error) {
    const reason = messageOf(error);
    if (reason !== trouble) log.error('index not refreshed', { reason });
    trouble = reason;
  }
  return searcher.stats();
}
