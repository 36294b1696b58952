/**
 * Orders results page by page, so that one host does not fill a page while other hosts have results of nearly the
 * same score.
 *
 * Each place on a page gets the remaining result with the highest value. The value of the first `perHost`
 * results of a host on the page is their score. The value of the host's next result is its score times CROWDED,
 * the value of the following result is its score times CROWDED², and so on. Therefore a much better result is
 * never displaced, and a search engine for a single site can fill its pages with that site. Counting starts
 * again with every page. No result is lost or repeated.
 */

/** The factor for the scores of results of a host that already has `perHost` results on the page. */
const CROWDED = 0.97;

interface SpreadOptions<T> {
  /** The number of results per page, and the number of results of one host on a page without a discount. */
  pageSize: number;
  perHost: number;
  hostOf(item: T): string;
  scoreOf(item: T): number;
}

/**
 * Orders `items` page by page, at least the first `count`; the others keep their order. A pinned result may
 * precede results with higher scores. It counts with the highest score of the results after it, so that it
 * stays before them.
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
 * Returns the index of the result with the highest discounted score; the first one if several are equal. The
 * search stops early, because `scores` are descending and a discount never raises a score.
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
 * Returns, for the last result of each host on a page, how many results of that host follow later in the list. The
 * page shows this number as "more from this site".
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
