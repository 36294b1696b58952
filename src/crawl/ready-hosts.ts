/**
 * The hosts that may be asked now, the one with the most important URL first; equal ones by turn.
 *
 * A host that gets a more important URL while it is here gets a second entry in the heap, and the first goes
 * stale: an entry counts only while it is the host's latest. Links to URLs that wait already make their
 * hosts more important too; that is looked at for all hosts together, when half as many have been taken as
 * there are: a look at every URL of every host costs a page no more than looking at those of two. So it is,
 * at once, when new ranks have come.
 */
import { Heap } from '../base/mod.ts';
import type { HostQueue } from './host-queue.ts';
import type { Importance } from './importance.ts';

interface Entry {
  host: HostQueue;
  importance: number;
  turn: number;
}

export class ReadyHosts {
  readonly #heap = new Heap<Entry>((a, b) =>
    a.importance === b.importance ? a.turn < b.turn : a.importance > b.importance,
  );
  readonly #importance: Importance;
  readonly #latest = new Map<HostQueue, Entry>();
  #turns = 0;
  /** Since the last refresh. */
  #taken = 0;
  /** Of the ranks by which the heap is ordered. */
  #ranksGeneration: number;

  constructor(importance: Importance) {
    this.#importance = importance;
    this.#ranksGeneration = importance.ranksGeneration;
  }

  get size(): number {
    return this.#latest.size;
  }

  push(host: HostQueue, importance: number): void {
    const entry = { host, importance, turn: ++this.#turns };
    this.#latest.set(host, entry);
    this.#heap.push(entry);
  }

  /** A host has got a URL of this importance; nothing happens if it is not here or has a better one. */
  raise(host: HostQueue, importance: number): void {
    const entry = this.#latest.get(host);
    if (entry && importance > entry.importance) this.push(host, importance);
  }

  pop(): HostQueue | undefined {
    const hasNewRanks = this.#ranksGeneration !== this.#importance.ranksGeneration;
    if (hasNewRanks || this.#taken > this.#latest.size / 2) this.#refresh();
    for (let best = this.#heap.pop(); best; best = this.#heap.pop()) {
      if (this.#latest.get(best.host) !== best) continue;
      this.#latest.delete(best.host);
      this.#taken++;
      return best.host;
    }
    return undefined;
  }

  #refresh(): void {
    this.#taken = 0;
    this.#ranksGeneration = this.#importance.ranksGeneration;
    this.#heap.clear();
    for (const entry of this.#latest.values()) {
      entry.importance = entry.host.importance;
      this.#heap.push(entry);
    }
  }
}
