/**
 * The shards of an index during one query. The view of each shard and the deadline stay the same for the whole
 * query. Absent shards are left out.
 */
import { GyreError } from '../../base/mod.ts';
import type { Stemming } from '../../text/mod.ts';
import type { Deadline } from '../deadline.ts';
import type { DocumentId } from '../results/mod.ts';
import type { SearchShard, ShardDoc, ShardRequest, ShardState } from '../shard/mod.ts';

type ForDocuments<T> = (
  shard: SearchShard,
  request: ShardRequest & { docs: readonly ShardDoc[] },
  /** `places[i]` is the index of `docs[i]` in the list of documents of all shards. */
  places: readonly number[],
) => Promise<ArrayLike<T>>;

export class ShardGroup {
  readonly #shards: readonly SearchShard[];
  readonly states: readonly ShardState[];
  readonly deadline: Deadline;
  /** True if a shard was left out because it is absent. */
  readonly isIncomplete: boolean;

  /** Throws the error `index-unreachable` if all shards are absent. */
  constructor(shards: readonly SearchShard[], deadline: Deadline) {
    const present = shards
      .map((shard) => ({ shard, state: shard.state }))
      .filter(({ state }) => !state.isAbsent);
    if (present.length === 0)
      throw new GyreError('index-unreachable', 'No part of the index can be reached; try again later.');
    this.#shards = present.map(({ shard }) => shard);
    this.states = present.map(({ state }) => state);
    this.deadline = deadline;
    this.isIncomplete = present.length < shards.length;
  }

  get count(): number {
    return this.#shards.length;
  }

  /** A number that changes when the index of any shard changes. Cached responses of another generation are not used. */
  get generation(): number {
    return this.states.reduce((sum, { generation }) => sum + generation, 0);
  }

  /** The stemmings of the live documents in all shards, the most frequent stemming first. */
  get stemmings(): Stemming[] {
    return [...this.docCounts.keys()];
  }

  /** The number of live documents per stemming in all shards, the greatest number first. */
  get docCounts(): ReadonlyMap<Stemming, number> {
    const counts = new Map<Stemming, number>();
    for (const { stemmings } of this.states)
      for (const [stemming, count] of stemmings) counts.set(stemming, (counts.get(stemming) ?? 0) + count);
    return new Map([...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0]));
  }

  /** Sends a request to all shards; returns the replies in the order of the shards. */
  async ask<T>(send: (shard: SearchShard, request: ShardRequest) => Promise<T>): Promise<T[]> {
    const leftMs = this.deadline.leftMs();
    if (this.count === 1) return [await send(this.#shards[0]!, { view: this.states[0]!.view, leftMs })];
    return Promise.all(this.#shards.map((shard, at) => send(shard, { view: this.states[at]!.view, leftMs })));
  }

  /**
   * Sends each shard a request for the documents that are in this shard. Returns one element per document. If a
   * late shard replies with fewer elements, the elements of its last documents are undefined.
   */
  async askFor<T>(documents: readonly DocumentId[], send: ForDocuments<T>): Promise<(T | undefined)[]> {
    const leftMs = this.deadline.leftMs();
    const replies: (T | undefined)[] = new Array(documents.length).fill(undefined);
    const sent = this.#shards.map(async (shard, number) => {
      const { own, docs } = documentsOf(number, documents);
      if (own.length === 0) return;
      const reply = await send(shard, { view: this.states[number]!.view, leftMs, docs }, own);
      for (let at = 0; at < reply.length; at++) replies[own[at]!] = reply[at];
    });
    await Promise.all(sent);
    return replies;
  }
}

/** Returns the documents of one shard. `own` has their indexes in `documents`. */
function documentsOf(shard: number, documents: readonly DocumentId[]): { own: number[]; docs: number[] } {
  const own: number[] = [];
  const docs: number[] = [];
  for (const [at, document] of documents.entries()) {
    if (document.shard !== shard) continue;
    own.push(at);
    docs.push(document.doc);
  }
  return { own, docs };
}
