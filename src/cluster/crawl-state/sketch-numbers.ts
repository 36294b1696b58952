/**
 * Sketch entries are numbers of a local file, so they mean nothing to another process. In the database, the
 * entries of each process have a range of their own. An entry in another range is read as if there were no
 * entry.
 */
import type { ClusterDatabase } from '../database.ts';

const RANGE = 2 ** 32;

/** Reserves a range for a new process. Returns the number of its first sketch entry. */
export async function reserveSketches(sql: ClusterDatabase): Promise<number> {
  const [row] = await sql<{ number: number }[]>`select nextval('gyre.sketch_ranges')::float8 as number`;
  return row!.number * RANGE;
}

/**
 * Converts the number of an entry in the database to the number of an entry of this process; null if another
 * process made the entry.
 */
export function ownSketch(stored: number | null, first: number): number | null {
  return stored !== null && stored >= first && stored < first + RANGE ? stored - first : null;
}

export function storedSketch(entry: number | null, first: number): number | null {
  return entry === null ? null : entry + first;
}
