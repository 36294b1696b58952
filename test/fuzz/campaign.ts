/** Runs one target of the fuzzer in a thread, and stops it if an input hangs or takes too much memory. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { type FuzzMessage, type FuzzOrder, SHARED_HEAD_BYTES } from './fuzz-thread-messages.ts';
import { MAX_INPUT_BYTES } from './target.ts';

export interface FuzzFailure {
  target: string;
  problem: string;
  /** The line of the stack in our code, which tells different failures apart. */
  place: string;
  input: Uint8Array;
}

export interface FuzzReport {
  target: string;
  inputs: number;
  /** The number of characters of source code that the inputs have reached; 0 if the coverage was not measured. */
  reached: number;
  failures: FuzzFailure[];
}

export interface FuzzLimits {
  seed: number;
  /** The processor time of each target. */
  budgetMs: number;
  /** True to keep the inputs that reach new code. */
  isGuided: boolean;
  /** The time without progress after which an input counts as hanging. */
  hangMs?: number;
}

/** The CPU time for one input. Ordinary inputs take less than 10 ms, and the budget of a PDF about one second. */
const MAX_CPU_MS = 3_000;
/** The default of `hangMs`. It allows for a busy machine. */
const HANG_MS = 20_000;
/** The memory that a thread may use in addition to what the process used before. */
const MAX_MEMORY_BYTES = 1024 ** 3;
const MAX_HEAP_MB = 512;
const POLL_MS = 50;

/**
 * Runs targets one after the other, and calls `onReport` after each. If an input hangs or needs too much memory, its
 * target ends, and the next target continues in a new thread.
 */
export async function fuzz(
  targets: readonly string[],
  limits: FuzzLimits,
  onReport: (report: FuzzReport) => void = () => {},
): Promise<FuzzReport[]> {
  const reports: FuzzReport[] = [];
  while (reports.length < targets.length) {
    for (const report of await runThread(targets.slice(reports.length), limits, onReport))
      reports.push(report);
  }
  return reports;
}

/** Runs targets until all are done or the thread has to be stopped. Returns at least one report. */
async function runThread(
  targets: readonly string[],
  { seed, budgetMs, isGuided, hangMs = HANG_MS }: FuzzLimits,
  onReport: (report: FuzzReport) => void,
): Promise<FuzzReport[]> {
  const shared = new SharedArrayBuffer(SHARED_HEAD_BYTES + 4 * MAX_INPUT_BYTES);
  const head = new Int32Array(shared, 0, SHARED_HEAD_BYTES / 4);
  const order: FuzzOrder = { targets, seed, budgetMs, isGuided, maxCpuMs: MAX_CPU_MS, shared };
  const memoryBefore = process.memoryUsage.rss();
  const reports: FuzzReport[] = [];
  const failures: FuzzFailure[] = [];
  const finish = (target: string, inputs: number, reached: number) => {
    const own = failures.filter((failure) => failure.target === target);
    reports.push({ target, inputs, reached, failures: own });
    onReport(reports.at(-1)!);
  };
  const add = (failure: FuzzFailure) => {
    const isKnown = failures.some(
      ({ target, place }) => target === failure.target && place === failure.place,
    );
    if (!isKnown) failures.push(failure);
  };
  const addLast = (problem: string, place: string) =>
    add({ target: targets[head[2]!]!, problem, place, input: inputIn(shared, head[1]!) });
  const worker = new Worker(new URL('fuzz-thread.ts', import.meta.url), {
    workerData: order,
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  });
  let isReady = false;
  worker.on('message', (message: FuzzMessage) => {
    if (message.kind === 'ready') isReady = true;
    else if (message.kind === 'failure') add(message);
    else finish(message.target, message.inputs, message.reached);
  });
  worker.on('error', (error) =>
    addLast(`ended the thread: ${error.message}`, error.stack?.split('\n')[1] ?? ''),
  );
  let seen = 0;
  let movedAt = performance.now();
  const watch = setInterval(() => {
    const count = Atomics.load(head, 0);
    const now = performance.now();
    if (count !== seen || !isReady) [seen, movedAt] = [count, now];
    const isHanging = now - movedAt > hangMs + (isReady && count === 0 ? HANG_MS : 0);
    const isLarge = process.memoryUsage.rss() - memoryBefore > MAX_MEMORY_BYTES;
    if (!isHanging && !isLarge) return;
    clearInterval(watch);
    if (isHanging) addLast(`hangs for ${hangMs} ms`, 'hang');
    else addLast(`needs more memory than ${MAX_MEMORY_BYTES} bytes`, 'memory');
    void worker.terminate();
  }, POLL_MS);
  await once(worker, 'exit');
  clearInterval(watch);
  const stopped = targets[reports.length];
  if (stopped !== undefined) {
    if (!failures.some(({ target }) => target === stopped)) addLast('ended the thread', 'exit');
    finish(stopped, Atomics.load(head, 0), 0);
  }
  return reports;
}

function inputIn(shared: SharedArrayBuffer, length: number): Uint8Array {
  return Uint8Array.from(new Uint8Array(shared, SHARED_HEAD_BYTES, length));
}
