/** Measures the size of the data directory and the free space of its disk, and forecasts when the disk is full. */
import type { Dirent } from 'node:fs';
import { readdir, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { type Clock, MINUTE_MS } from '../../base/mod.ts';
import type { StoredFacts } from '../../serve/mod.ts';
import { forecast, type Measured } from './forecast.ts';

const INTERVAL_MS = 10_000;
/** The growth over this time is the basis of the forecast. */
const WINDOW_MS = 60 * MINUTE_MS;

export class DiskWatch {
  readonly #path: string;
  readonly #clock: Clock;
  #measured: Measured[] = [];

  constructor(path: string, clock: Clock) {
    this.#path = path;
    this.#clock = clock;
  }

  get isDue(): boolean {
    const last = this.#measured.at(-1);
    return !last || this.#clock.now() - last.at >= INTERVAL_MS;
  }

  async look(): Promise<NonNullable<StoredFacts['disk']>> {
    const [dataBytes, { bavail, bsize }] = await Promise.all([sizeOf(this.#path), statfs(this.#path)]);
    const now = this.#clock.now();
    this.#measured.push({ at: now, bytes: dataBytes });
    this.#measured = this.#measured.filter(({ at }) => at >= now - WINDOW_MS);
    const freeBytes = bavail * bsize;
    return { dataBytes, freeBytes, ...forecast(this.#measured, freeBytes) };
  }
}

/** Returns the size of all files below a directory. Files that disappear meanwhile do not count. */
async function sizeOf(path: string): Promise<number> {
  const entries = await readdir(path, { withFileTypes: true, recursive: true });
  let bytes = 0;
  for (const entry of entries) if (entry.isFile()) bytes += await fileSize(entry);
  return bytes;
}

async function fileSize({ parentPath, name }: Dirent): Promise<number> {
  const found = await stat(join(parentPath, name)).catch(() => null);
  return found?.size ?? 0;
}
