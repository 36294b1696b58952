/** Measures the difference between the clock of the database server and the clock of this machine. */
import type { Clock } from '../base/mod.ts';
import type { ClusterDatabase } from './database.ts';

const ATTEMPTS = 3;

/**
 * Returns the milliseconds to add to the time of `clock`. The server read its clock at some moment of the request, so
 * the error is at most half of the time of the fastest request.
 */
export async function measureClockOffset(sql: ClusterDatabase, clock: Clock): Promise<number> {
  let best = { elapsedMs: Number.POSITIVE_INFINITY, offsetMs: 0 };
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const sentAt = clock.now();
    const [row] = await sql<{ now: number }[]>`
      select (extract(epoch from clock_timestamp()) * 1000)::float8 as now`;
    const elapsedMs = clock.now() - sentAt;
    if (elapsedMs < best.elapsedMs)
      best = { elapsedMs, offsetMs: Math.round(row!.now - sentAt - elapsedMs / 2) };
  }
  return best.offsetMs;
}
