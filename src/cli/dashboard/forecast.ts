/** Forecasts when a disk is full. */
import { DAY_MS, MINUTE_MS } from '../../base/mod.ts';
import type { StoredFacts } from '../../serve/mod.ts';

/** The size of all data at a time. */
export interface Measured {
  at: number;
  bytes: number;
}

type Forecast = Pick<NonNullable<StoredFacts['disk']>, 'bytesPerDay' | 'observedMs' | 'fullAt'>;

/** Assumes that the data continues to grow at the rate between the first and the last measurement. */
export function forecast(measured: readonly Measured[], freeBytes: number): Forecast {
  const first = measured[0];
  const last = measured.at(-1);
  if (!first || !last || last.at - first.at < MINUTE_MS)
    return { bytesPerDay: null, observedMs: 0, fullAt: null };
  const observedMs = last.at - first.at;
  const bytesPerDay = ((last.bytes - first.bytes) / observedMs) * DAY_MS;
  const fullAt = bytesPerDay > 0 ? last.at + (freeBytes / bytesPerDay) * DAY_MS : null;
  return { bytesPerDay, observedMs, fullAt };
}
