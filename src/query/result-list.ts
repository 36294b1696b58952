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

/** `items` in the order of pages, at least the first `count`; the rest keep their order. */
export function spreadHosts<T>(items: readonly T[], count: number, options: SpreadOptions<T>): T[] {
  const list: T[] = [];
  let waiting = [...items];
  while (waiting.length > 0 && list.length < count) {
    const { page, rest } = takePage(waiting, options);
    list.push(...page);
    waiting = rest;
  }
  return [...list, ...waiting];
}

function takePage<T>(items: readonly T[], options: SpreadOptions<T>): { page: T[]; rest: T[] } {
  const { pageSize, perHost, hostOf } = options;
  const counts = new Map<string, number>();
  const taken = new Set<T>();
  for (const item of items) {
    if (taken.size === pageSize) break;
    const host = hostOf(item);
    const count = counts.get(host) ?? 0;
    counts.set(host, count + 1);
    if (count < perHost) taken.add(item);
  }
  for (const item of items) {
    if (taken.size === pageSize) break;
    taken.add(item);
  }
  return { page: items.filter((item) => taken.has(item)), rest: items.filter((item) => !taken.has(item)) };
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
  for (const item of list.slice(end)) {
    const shown = last.get(hostOf(item));
    if (shown !== undefined) waiting.set(shown, (waiting.get(shown) ?? 0) + 1);
  }
  return waiting;
}
