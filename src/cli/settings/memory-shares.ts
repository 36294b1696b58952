/**
 * Divides the memory limit among caches, buffers and heaps. A setting with a share is computed from the limit
 * unless the operator sets it; memory without a setting is always computed. The values in brackets are the
 * results for a limit of 2 GiB.
 *
 * Caches and buffers that can fill up take about half of the limit together. The other half is for code, the
 * heaps of threads, the tables of open segments, and short-lived objects of pages and queries. When the process
 * uses most of its limit, caches free memory and the crawl slows down (base/memory-level.ts).
 */
import { totalmem } from 'node:os';
import { formatSize, UsageError } from '../../base/mod.ts';

const MI = 1024 ** 2;

/** The value of a setting that the operator did not set, so that it is computed from the memory limit. */
export const AUTO = -1;

/** A share of the memory limit, with a minimum and a maximum. */
export interface Share {
  part: number;
  leastBytes: number;
  mostBytes: number;
  /**
   * Bytes per unit, for a setting that is a count, such as a number of sketches. By default the setting is in bytes.
   */
  unitBytes?: number;
  /** Number of bytes that the process uses per byte of the setting; by default 1. */
  weight?: number;
}

function share(part: number, leastMi: number, mostMi: number, more: Partial<Share> = {}): Share {
  return { part, leastBytes: leastMi * MI, mostBytes: mostMi * MI, ...more };
}

export const SHARES = {
  /** Shares of the settings serve.postingsCache (256 MiB) and serve.answerCache (16 MiB). */
  postingsCache: share(1 / 8, 8, 4096),
  answerCache: share(1 / 128, 1, 256),
  /**
   * Share of the setting index.bufferMemory (64 MiB). While a segment is written, its lists take additional
   * memory of up to three times this size.
   */
  indexBuffer: share(1 / 32, 4, 256, { weight: 4 }),
  /** Share of the setting crawl.maxSketches (4 million sketches). */
  sketches: share(1 / 12, 4, 16_384, { unitBytes: 45 }),
  /** Share of the known URLs in memory (256 MiB, 20 million URLs); the others are on disk. */
  seen: share(1 / 8, 4, 65_536),
  /** Share of the ranks of known URLs in memory (64 MiB, 4 million URLs); a larger file is read from disk. */
  ranks: share(1 / 32, 4, 1024),
  /** Shares of SQLite's page cache (64 MiB) and of response bodies that wait for their commit (12 MiB). */
  database: share(1 / 32, 4, 64),
  heldBodies: share(3 / 512, 2, 12),
  /**
   * Heap limits per thread, for parser threads (512 MiB), archive threads (256 MiB) and search threads (256
   * MiB).
   */
  parserHeap: share(1 / 4, 96, 512),
  archiveHeap: share(1 / 8, 64, 512),
  searchHeap: share(1 / 8, 64, 512),
  /** Limit of the young generation of a search thread (32 MiB): new objects, of which most are soon garbage. */
  searchYoung: share(1 / 64, 24, 96),
} as const satisfies Record<string, Share>;

/** Minimum memory limit of all commands. A command that needs more declares `leastMemory`. */
export const LEAST_MEMORY = 256 * MI;

/**
 * Returns the default memory limit: half of the memory of the machine or of its container, but at least `leastBytes`.
 */
export function defaultMemory(leastBytes: number): number {
  const constrained = process.constrainedMemory();
  const total = constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
  return Math.max(leastBytes, Math.floor(total / 2));
}

/** Returns true if the memory limit equals the default for a command that needs at least `leastBytes`. */
export function isDefaultMemory(memoryBytes: number, leastBytes: number): boolean {
  return memoryBytes === defaultMemory(leastBytes);
}

/** Returns a share of the memory limit in the unit of its setting, bytes or a count. */
export function memoryShareOf(
  memoryBytes: number,
  { part, leastBytes, mostBytes, unitBytes = 1 }: Share,
): number {
  const bytes = Math.min(mostBytes, Math.max(leastBytes, memoryBytes * part));
  return Math.floor(bytes / unitBytes);
}

/** A setting with a share that the operator has set to a fixed value. */
export interface GivenSize {
  key: string;
  value: number;
  share: Share;
}

/**
 * Throws a UsageError if the memory limit is below `leastBytes`, or if the sizes that the operator has set leave less
 * than `leastBytes` for everything else.
 */
export function checkMemory(memoryBytes: number, given: readonly GivenSize[], leastBytes: number): void {
  const takenBytes = given.reduce((sum, { value, share: of }) => sum + bytesOf(value, of), 0);
  const neededBytes = leastBytes + takenBytes;
  if (memoryBytes >= neededBytes) return;
  const memory = `memory is ${formatSize(memoryBytes)}`;
  if (memoryBytes < leastBytes)
    throw new UsageError(
      'memory-too-small',
      `${memory}, but this command needs at least ${formatSize(leastBytes)}: set memory to that or more`,
    );
  const keys = given.map(({ key }) => key).join(', ');
  throw new UsageError(
    'memory-too-small',
    `${memory}, but ${keys} may take ${formatSize(takenBytes)} and everything else needs at least ${formatSize(leastBytes)}: set memory to ${formatSize(neededBytes)} or more, or lower ${keys}`,
  );
}

function bytesOf(value: number, { unitBytes = 1, weight = 1 }: Share): number {
  return value * unitBytes * weight;
}
