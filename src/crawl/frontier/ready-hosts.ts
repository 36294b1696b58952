/**
 * Hosts that may get a request now, ordered by their most important URL. Hosts with equal importance take
 * turns.
 *
 * A host that gets a more important URL while it is in the heap gets a second entry, and only the latest entry
 * of a host counts. Links to queued URLs also raise the importance of their hosts, but add no entry. Therefore
 * the importance of all hosts is computed again from time to time: when the number of hosts taken from the heap
 * since the last time reaches half of the number of hosts. On average this costs as much per page as scoring
 * the URLs of two hosts. New ranks trigger the same computation at once.
 */
import { Heap } from '../../base/mod.ts';
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
  /** Number of hosts popped since the importance of all hosts was last computed. */
  #taken = 0;
  /** Number of the set of ranks by which the heap is ordered. */
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

  /**
   * Reports that a host got a URL of this importance. Does nothing if the host is not in the heap, or already has a
   * better URL.
   */
  raise(host: HostQueue, importance: number): void {
    const entry = this.#latest.get(host);
    if (entry && importance > entry.importance) this.push(host, importance);
  }

  /** Returns the host that `pop` would return, without removing it. */
  peek(): HostQueue | undefined {
    const hasNewRanks = this.#ranksGeneration !== this.#importance.ranksGeneration;
    if (hasNewRanks || this.#taken > this.#latest.size / 2) this.#refresh();
    for (let best = this.#heap.peek(); best; best = this.#heap.peek()) {
      if (this.#latest.get(best.host) === best) return best.host;
      this.#heap.pop();
    }
    return undefined;
  }

  pop(): HostQueue | undefined {
    const best = this.peek();
    if (!best) return undefined;
    this.#heap.pop();
    this.#latest.delete(best);
    this.#taken++;
    return best;
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
