/**
 * Orders the list of results page by page: a page has at most `perHost` results of a host while other hosts
 * have results.
 *
 * A page takes the best items that are left. Items over the host's limit are deferred to the next page, where
 * they are considered first; no item is lost or repeated. If a page cannot be filled within the limit,
 * deferred items fill it anyway: a search engine for one site lists that site.
 */

interface SpreadOptions<T> {
  /** The number of results per page, and the maximum per host on a page. */
  pageSize: number;
  perHost: number;
  hostOf(item: T): string;
}

/**
 * Returns `items` in page order, at least for the first `count`; the rest keep their order. Reads only as
 * many items as needed.
 */
export function spreadHosts<T>(items: readonly T[], count: number, options: SpreadOptions<T>): T[] {
  const { pageSize, perHost, hostOf } = options;
  const places: number[] = [];
  let waiting: number[] = [];
  let next = 0;
  while (places.length < count && places.length < items.length) {
    const counts = new Map<string, number>();
    const page: number[] = [];
    const held: number[] = [];
    const take = (place: number) => {
      const host = hostOf(items[place]!);
      const taken = counts.get(host) ?? 0;
      counts.set(host, taken + 1);
      (taken < perHost && page.length < pageSize ? page : held).push(place);
    };
    waiting.forEach(take);
    while (page.length < pageSize && next < items.length) take(next++);
    const filling = held.splice(0, pageSize - page.length);
    places.push(...[...page, ...filling].sort((a, b) => a - b));
    waiting = held;
  }
  const chosen: T[] = [...places, ...waiting].map((place) => items[place]!);
  return chosen.concat(items.slice(next));
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
