/**
 * Corrects stored times after the machine's clock was set back. Otherwise hosts would wait until the clock
 * has caught up, perhaps for days. Each commit stores its own time. If the time of the last commit is in the
 * future, the clock was set back, and the difference says by how much. When the crawl starts, all stored wait
 * times are shifted by that difference, so that each host waits as long as intended. While the crawl runs,
 * its clock never jumps (`base/clock.ts`).
 */
import type { Clock, Log } from '../../base/mod.ts';
import type { CrawlState } from './crawl-state.ts';

/** Smaller differences are ignored: clocks that a time server controls are off by less. */
const TOLERANCE_MS = 60_000;

/** Returns how far the clock was set back since the last commit; 0 if it was not. */
export function clockSetBackMs(committedAt: number | null, now: number): number {
  const aheadMs = (committedAt ?? 0) - now;
  return aheadMs > TOLERANCE_MS ? aheadMs : 0;
}

export async function checkClock(state: CrawlState, clock: Clock, log: Log): Promise<void> {
  const committedAt = await state.committedAt();
  const now = clock.now();
  const byMs = clockSetBackMs(committedAt, now);
  if (byMs === 0) return;
  await state.moveTimes(-byMs, now);
  const lastCommit = new Date(committedAt!).toISOString();
  log.warn('clock set back, waits shortened', { seconds: Math.round(byMs / 1000), lastCommit });
}
