/**
 * The list of results, page by page: at most so many of a host on a page, as long as others have any.
 *
 * A page takes the best that are left. What exceeds a host's share waits for the next page, where it comes first
 * in its turn; nothing is lost and nothing comes twice. If a page cannot be filled so, what waits fills it
 * after all: an engine for one site lists that site.
 */
import { Heap } from '../base/mod.ts';

export interface SpreadOptions<T> {
  /** How many results a page has, and how many of a host it may have. */
  pageSize: number;
  perHost: number;
  hostOf(item: T): string;
}

/**
 * `items` in the order of pages, at least the first `count`; the rest keep their order.
 *
 * Each host has a queue of its items, and a heap of hosts tells which has the best item next: a page costs the same
 * however many were before it.
 */
export function spreadHosts<T>(items: readonly T[], count: number, options: SpreadOptions<T>): T[] {
  const isTaken = new Uint8Array(items.length);
  const next = new Heap<HostQueue>(isBefore);
  for (const queue of queuesOf(items, options)) next.push(queue);
  const list: T[] = [];
  while (next.size > 0 && list.length < count) {
    for (const at of takePage(next, options).sort((a, b) => a - b)) {
      isTaken[at] = 1;
      list.push(items[at]!);
    }
  }
  return [...list, ...items.filter((_, at) => isTaken[at] === 0)];
}

/** Places of a host's items in the list, and how many of them are gone. */
interface HostQueue {
  places: number[];
  taken: number;
}

function isBefore(a: HostQueue, b: HostQueue): boolean {
  return a.places[a.taken]! < b.places[b.taken]!;
}

function queuesOf<T>(items: readonly T[], { hostOf }: SpreadOptions<T>): Iterable<HostQueue> {
  const queues = new Map<string, HostQueue>();
  for (const [at, item] of items.entries()) {
    const host = hostOf(item);
    const queue = queues.get(host);
    if (queue) queue.places.push(at);
    else queues.set(host, { places: [at], taken: 0 });
  }
  return queues.values();
}

/** The best of each host up to its share; then, if there is room, of what waits. */
function takePage<T>(next: Heap<HostQueue>, { pageSize, perHost }: SpreadOptions<T>): number[] {
  const page: number[] = [];
  const shares = new Map<HostQueue, number>();
  const waiting = new Heap<HostQueue>(isBefore);
  for (let queue = next.pop(); queue; queue = page.length < pageSize ? next.pop() : undefined) {
    page.push(queue.places[queue.taken++]!);
    const share = (shares.get(queue) ?? 0) + 1;
    shares.set(queue, share);
    if (queue.taken < queue.places.length) (share < perHost ? next : waiting).push(queue);
  }
  for (let queue = waiting.pop(); queue; queue = waiting.pop()) {
    if (page.length < pageSize) page.push(queue.places[queue.taken++]!);
    if (queue.taken < queue.places.length) (page.length < pageSize ? waiting : next).push(queue);
  }
  return page;
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
