/**
 * Watches the free space of the data directory, so that a crawl stops fetching before the disk is full. What is left is
 * for the index, for commits of pages in flight, and for the logs; searches continue in any case.
 *
 *   free < least            no more requests                 "disk nearly full", until
 *   free > RESUMED * least  requests again
 */
import { statfsSync } from 'node:fs';
import { formatSize, type Log } from '../../base/mod.ts';

const CHECK_MS = 2_000;
/** Fetching continues only with more space than this times the limit, so that it does not start and stop all the time. */
const RESUMED = 1.25;

/** Returns the bytes that this process may still write to the file system of a directory. */
export function freeBytesOf(path: string): number {
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize;
}

interface WatchOptions {
  /** The limit in bytes; 0 turns the watch off. */
  leastBytes: number;
  log: Log;
  /** Called whenever the disk becomes nearly full, and when it has space again. */
  onChange(isFull: boolean): void;
  freeBytes?: (path: string) => number;
}

/** Watches the directory. Returns a function that checks at once, and one that ends the watch. */
export function watchDiskSpace(path: string, options: WatchOptions): { check(): void; end(): void } {
  const { leastBytes, log, onChange, freeBytes = freeBytesOf } = options;
  let isFull = false;
  const check = () => {
    const free = freeBytes(path);
    const isNowFull = free < leastBytes * (isFull ? RESUMED : 1);
    if (isNowFull === isFull) return;
    isFull = isNowFull;
    const values = { path, free: formatSize(free), needed: formatSize(leastBytes) };
    if (isFull) log.warn('disk nearly full, no pages are fetched until there is more space', values);
    else log.info('disk has space again, pages are fetched', values);
    onChange(isFull);
  };
  if (leastBytes === 0) return { check() {}, end() {} };
  check();
  const timer = setInterval(check, CHECK_MS);
  timer.unref();
  return { check, end: () => clearInterval(timer) };
}
