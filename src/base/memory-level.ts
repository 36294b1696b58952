/**
 * The memory limit of the process. The main thread compares the resident memory of the process with the limit
 * ten times a second and writes the level into shared memory, where every thread can read it:
 *
 *   high   from HIGH_SHARE of the limit on: caches drop their entries and stay small, and each thread collects
 *          its garbage
 *   full   from FULL_SHARE on: work that can wait is slowed down
 *
 * No event reports a new level. Code reads the level before it allocates memory. The level of a process without
 * a limit is never high.
 */
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';

const HIGH_SHARE = 0.8;
const FULL_SHARE = 0.9;
const WATCH_MS = 100;
/**
 * COLLECT_MS is the shortest and MAX_COLLECT_MS the longest time between two garbage collections of a thread
 * while the level stays high.
 */
const COLLECT_MS = 1_000;
const MAX_COLLECT_MS = 60_000;
const KEY = 'memory-level';

let known: Int32Array | null = null;

/**
 * Starts to compare the memory of the process with the limit regularly. Must run in the main thread, before any
 * other thread starts.
 */
export function watchMemory(limitBytes: number): void {
  const level = new Int32Array(new SharedArrayBuffer(4));
  setEnvironmentData(KEY, level.buffer);
  known = level;
  const look = () => Atomics.store(level, 0, levelOf(process.memoryUsage.rss(), limitBytes));
  setInterval(look, WATCH_MS).unref();
  collectWhenHigh();
}

export function isMemoryHigh(): boolean {
  return currentLevel() >= 1;
}

export function isMemoryFull(): boolean {
  return currentLevel() >= 2;
}

/**
 * Runs the garbage collector of this thread regularly while the memory level is high. V8 counts only its own
 * heap, so without this call it may keep unused large buffers. The time between two collections doubles as long
 * as the level stays high.
 */
export function collectWhenHigh(): void {
  let waitMs = COLLECT_MS;
  let collectedAt = 0;
  setInterval(() => {
    if (!isMemoryHigh()) {
      waitMs = COLLECT_MS;
      return;
    }
    if (performance.now() - collectedAt < waitMs) return;
    globalThis.gc?.();
    collectedAt = performance.now();
    waitMs = Math.min(2 * waitMs, MAX_COLLECT_MS);
  }, COLLECT_MS).unref();
}

function levelOf(usedBytes: number, limitBytes: number): 0 | 1 | 2 {
  if (usedBytes < HIGH_SHARE * limitBytes) return 0;
  return usedBytes < FULL_SHARE * limitBytes ? 1 : 2;
}

function currentLevel(): number {
  if (!known) {
    const shared = getEnvironmentData(KEY) as SharedArrayBuffer | undefined;
    known = new Int32Array(shared ?? new SharedArrayBuffer(4));
  }
  return Atomics.load(known, 0);
}
