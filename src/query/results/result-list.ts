/**
 * Orders the list of results page by page, so that one host does not fill a page while other hosts have results of
 * nearly the same score.
 *
 * A page takes, for each of its places, the item with the highest value. The first `perHost` items of a host on the
 * page have their score as value. The next item of the host has its score times CROWDED, the one after it its score
 * times CROWDED², and so on. So a much better result is never displaced, and a search engine for one site lists that
 * site. The count starts again with every page; no item is lost or repeated.
 */

/** Discount of a result of a host that already has its share of the page. */
const CROWDED = 0.97;

interface SpreadOptions<T> {
  /** Results per page, and results of one host on a page that get no discount. */
  pageSize: number;
  perHost: number;
  hostOf(item: T): string;
  scoreOf(item: T): number;
}

/**
 * Returns `items` in page order, at least for the first `count`; the rest keep their order. An item that precedes items
 * with higher scores, as a pinned result may, counts with the highest of those scores, so that it still precedes them.
 */
export function spreadHosts<T>(items: readonly T[], count: number, options: SpreadOptions<T>): T[] {
  const { pageSize, perHost, hostOf } = options;
  const scores = fallingScores(items, options);
  const order: number[] = [];
  let left = items.map((_, place) => place);
  while (order.length < count && left.length > 0) {
    const counts = new Map<string, number>();
    const page = new Set<number>();
    while (page.size < pageSize && page.size < left.length) {
      const place = bestPlace(left, page, scores, (at) => {
        const further = 1 + (counts.get(hostOf(items[at]!)) ?? 0) - perHost;
        return scores[at]! * CROWDED ** Math.max(0, further);
      });
      page.add(place);
      const host = hostOf(items[place]!);
      counts.set(host, (counts.get(host) ?? 0) + 1);
    }
    order.push(...page);
    left = left.filter((place) => !page.has(place));
  }
  return [...order, ...left].map((place) => items[place]!);
}

function fallingScores<T>(items: readonly T[], { scoreOf }: SpreadOptions<T>): number[] {
  const scores = items.map(scoreOf);
  for (let at = scores.length - 2; at >= 0; at--) scores[at] = Math.max(scores[at]!, scores[at + 1]!);
  return scores;
}

/**
 * Returns the place with the highest discounted score; of equal ones the first. `scores` are descending, and no
 * discounted score is above the score of its place, so the search can stop early.
 */
function bestPlace(
  places: readonly number[],
  taken: ReadonlySet<number>,
  scores: readonly number[],
  discounted: (place: number) => number,
): number {
  let best = -1;
  let highest = Number.NEGATIVE_INFINITY;
  for (const place of places) {
    if (best >= 0 && scores[place]! <= highest) break;
    if (taken.has(place)) continue;
    const value = discounted(place);
    if (best >= 0 && value <= highest) continue;
    best = place;
    highest = value;
  }
  return best;
}

/**
 * Returns, for the last result of each host on a page, the number of results of that host later in the list.
 */
export function waitingAfter<T>(
  list: readonly T[],
  start: number,
  end: number,
  hostOf: (item: T) => string,
): Map<T, number> {
  const last = new Map<string, T>();
  for (const item of list.slice(start, end)) last.set(hostOf(item), item);
  const waiting = new Map<T, number>();
  for (let at = end; at < list.length; at++) {
    const shown = last.get(hostOf(list[at]!));
    if (shown !== undefined) waiting.set(shown, (waiting.get(shown) ?? 0) + 1);
  }
  return waiting;
}
