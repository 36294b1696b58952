/** Decides how fast the vectors of pages are computed while the machine also does other work. */

/** Percentage of the time in which the thread computes vectors while pages are crawled, indexed or searched. */
const BUSY_PACE = 5;
/** For this time after a page of results, the searcher will probably send another query. */
const SEARCHING_MS = 2000;

/** Returns the percentage of the time in which the thread computes vectors; `idlePace` if there is no other work. */
export function paceOf(state: { isBusy: boolean; sinceSearchMs: number }, idlePace: number): number {
  return state.isBusy || state.sinceSearchMs < SEARCHING_MS ? Math.min(BUSY_PACE, idlePace) : idlePace;
}
