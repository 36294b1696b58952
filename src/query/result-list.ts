/**
 * The list of results, page by page: at most so many of a host on a page, as long as others have any.
 *
 * A page takes the best that are left. What exceeds a host's share waits for the next page, where it comes first
 * in its turn; nothing is lost and nothing comes twice. If a page cannot be filled so, what waits fills it
 * after all: an engine for one site lists that site.
 */

export interface SpreadOptions<T> {
  /** How many results a page has, and how many of a host it may have. */
  pageSize: number;
  perHost: number;
  hostOf(item: T): string;
}

/** `items` in the order of pages, at least the first `count`; the rest keep their order. Only so many are looked at as it takes. */
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

/** For the last result of each host on a page, how many of that host come later in the list. */
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
