/**
 * The matches of all shards in the order of the first stage: best score first; matches with equal scores are ordered
 * by the fingerprint of the URL. With a single shard, the list uses the arrays of its reply without copying.
 */
import { Heap } from '../../base/mod.ts';
import { headlineAt, type Signature, signatureAt } from '../../index/mod.ts';
import type { ListPlace } from '../matching/mod.ts';
import type { CandidatesReply, ShardDoc } from '../shard/mod.ts';

/** A document, identified by its shard and its number in the shard. */
export interface DocumentId {
  shard: number;
  doc: ShardDoc;
}

/** A match with its index in the candidate list, and the score by which results are ordered. */
export interface RankedDocument {
  list: CandidateList;
  at: number;
  score: number;
  /** Second-stage features; empty for documents that have only a rough score or none. */
  features: readonly number[];
}

const NO_FEATURES: readonly number[] = [];

export class CandidateList {
  readonly #replies: readonly CandidatesReply[];
  readonly #first: CandidatesReply;
  /** For each match, its shard and its row in the reply of this shard; null if there is only one shard. */
  readonly #merged: { shards: Uint32Array; rows: Uint32Array } | null;
  readonly count: number;

  /** Merges the replies of the shards and keeps the best `keep` matches. */
  constructor(replies: readonly CandidatesReply[], keep: number) {
    this.#replies = replies;
    this.#first = replies[0]!;
    this.#merged = replies.length === 1 ? null : merge(replies, keep);
    this.count = this.#merged?.rows.length ?? replies[0]!.scores.length;
  }

  get total(): number {
    return this.#replies.reduce((sum, { total }) => sum + total, 0);
  }

  get isPartial(): boolean {
    return this.#replies.some(({ isPartial }) => isPartial);
  }

  /** True if a shard had no time to compute rough scores. */
  get isRoughLate(): boolean {
    return this.#replies.some(({ rough }) => rough.kind === 'late');
  }

  idOf(at: number): DocumentId {
    return { shard: this.#merged?.shards[at] ?? 0, doc: this.#replyOf(at).docs[this.#rowOf(at)]! };
  }

  scoreOf(at: number): number {
    return this.#replyOf(at).scores[this.#rowOf(at)]!;
  }

  fingerprintOf(at: number): bigint {
    return this.#replyOf(at).fingerprints[this.#rowOf(at)]!;
  }

  hostOf(at: number): string {
    return this.#replyOf(at).hosts[this.#rowOf(at)]!;
  }

  dayOf(at: number): number {
    return this.#replyOf(at).days[this.#rowOf(at)]!;
  }

  typeOf(at: number): string {
    return this.#replyOf(at).types[this.#rowOf(at)]!;
  }

  languageOf(at: number): string {
    return this.#replyOf(at).languages[this.#rowOf(at)]!;
  }

  signatureOf(at: number): Signature {
    return signatureAt(this.#replyOf(at), this.#rowOf(at));
  }

  /**
   * Returns a number that stands for the headline of a match. Near duplicates have the same number. It is 0 if
   * unknown.
   */
  headlineOf(at: number): number {
    return headlineAt(this.#replyOf(at), this.#rowOf(at));
  }

  urlFitOf(at: number): number {
    return this.#replyOf(at).urlFits[this.#rowOf(at)]!;
  }

  /** Returns a number that a document shares with its translations; 0 if unknown. */
  titleKeyOf(at: number): number {
    return this.#replyOf(at).titleKeys[this.#rowOf(at)]!;
  }

  translationKeyOf(at: number): number {
    return this.#replyOf(at).translationKeys[this.#rowOf(at)]!;
  }

  placeOf(at: number): ListPlace {
    return { score: this.scoreOf(at), fingerprint: this.fingerprintOf(at) };
  }

  /** Returns the rough scores of the first `count` matches. */
  roughScores(count: number): Float64Array {
    const roughs = this.#replies.map(({ rough }) =>
      rough.kind === 'scores' ? rough.scores : new Float64Array(),
    );
    if (!this.#merged) return roughs[0]!.subarray(0, count);
    const { shards, rows } = this.#merged;
    return Float64Array.from({ length: count }, (_, at) => roughs[shards[at]!]![rows[at]!]!);
  }

  /** Returns the matches from index `start` to `end` (exclusive), with their first-stage scores. */
  between(start: number, end: number): RankedDocument[] {
    const ranked: RankedDocument[] = [];
    for (let at = start; at < Math.min(end, this.count); at++)
      ranked.push({ list: this, at, score: this.scoreOf(at), features: NO_FEATURES });
    return ranked;
  }

  #replyOf(at: number): CandidatesReply {
    return this.#merged ? this.#replies[this.#merged.shards[at]!]! : this.#first;
  }

  #rowOf(at: number): number {
    return this.#merged ? this.#merged.rows[at]! : at;
  }
}

function merge(
  replies: readonly CandidatesReply[],
  keep: number,
): { shards: Uint32Array; rows: Uint32Array } {
  const next = replies.map(() => 0);
  const isBefore = (a: number, b: number) => {
    const difference = replies[a]!.scores[next[a]!]! - replies[b]!.scores[next[b]!]!;
    if (difference !== 0) return difference > 0;
    return replies[a]!.fingerprints[next[a]!]! < replies[b]!.fingerprints[next[b]!]!;
  };
  const heap = new Heap<number>(isBefore);
  for (const [shard, { scores }] of replies.entries()) if (scores.length > 0) heap.push(shard);
  const shards: number[] = [];
  const rows: number[] = [];
  for (let shard = heap.pop(); shard !== undefined && rows.length < keep; shard = heap.pop()) {
    shards.push(shard);
    rows.push(next[shard]!++);
    if (next[shard]! < replies[shard]!.scores.length) heap.push(shard);
  }
  return { shards: Uint32Array.from(shards), rows: Uint32Array.from(rows) };
}

export function hostOfRanked({ list, at }: RankedDocument): string {
  return list.hostOf(at);
}

export function fingerprintOfRanked({ list, at }: RankedDocument): bigint {
  return list.fingerprintOf(at);
}
