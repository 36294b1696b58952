/**
 * First stage of a search: counts all matches of a query and keeps the best.
 *
 * The search kernel answers most queries. Queries that it does not support (operators, fields, filters, lists too
 * long for its memory) are evaluated here, one document after another. Both ways are exact, so `total` is the true
 * count. Matches with equal scores are ordered by the fingerprint of the URL, which does not depend on how the index
 * is divided into segments.
 */
import { Heap } from '../../base/mod.ts';
import { type DocId, NO_MORE_DOCS, type OpenSegment } from '../../index/mod.ts';
import { type Profile, type QueryStatistics, staticScore, textScore } from '../../scoring/mod.ts';
import type { Deadline } from '../deadline.ts';
import { reading } from '../errors.ts';
import { shownBy } from '../language/mod.ts';
import { Patience } from '../patience.ts';
import type { SearchedSegment, TermQuery } from '../terms/mod.ts';
import type { KernelSearch } from './kernel-search.ts';
import { matcherOf } from './matcher.ts';
import { wordCursors } from './word-cursor.ts';

export interface Match {
  segment: OpenSegment;
  doc: DocId;
  score: number;
}

export interface Evaluation {
  total: number;
  /** True if the time limit ended the search before all documents were evaluated. */
  partial: boolean;
  /** The best matches that were kept, in descending order of their scores. */
  matches: Match[];
}

export interface EvaluationLimits {
  keep: number;
  /** True if the caller needs the exact number of matches. If false, `total` is a lower bound, which is faster. */
  count: boolean;
  /** At this deadline the evaluation stops and returns the matches found so far. */
  deadline: Deadline;
  /** If set, only matches that rank after this place are kept. All matches are still counted. */
  after?: ListPlace | undefined;
}

/** The score and the fingerprint of a match, which decide its place among all matches. */
export interface ListPlace {
  score: number;
  fingerprint: bigint;
}

const DOCS_PER_CHECK = 512;

export function evaluate(
  query: TermQuery,
  searched: readonly SearchedSegment[],
  statistics: QueryStatistics,
  profile: Profile,
  limits: EvaluationLimits,
  kernel: KernelSearch | null,
): Evaluation {
  const quick = limits.after ? null : kernel?.evaluate(query, searched, statistics, profile, limits);
  return quick ?? walk(query, searched, statistics, profile, limits);
}

function walk(
  query: TermQuery,
  searched: readonly SearchedSegment[],
  statistics: QueryStatistics,
  profile: Profile,
  limits: EvaluationLimits,
): Evaluation {
  const best = new Heap<Match>(isWorse);
  const { after } = limits;
  const shown = shownBy(query.condition);
  const patience = new Patience(limits.deadline);
  let total = 0;
  let steps = 0;
  let partial = false;
  for (const [at, one] of searched.entries()) {
    partial ||= at > 0 && limits.deadline.isLate();
    if (partial || !query.condition) break;
    const { segment } = one;
    const hidden = segment.hiddenFor(shown);
    const matcher = reading(segment, () => matcherOf(query.condition!, segment, patience));
    const score = scorerOf(one, statistics, profile);
    reading(segment, () => {
      for (let doc = matcher.seek(0); doc !== NO_MORE_DOCS && !partial; doc = matcher.seek(doc + 1)) {
        if (!hidden.has(doc) && matcher.confirm() && !patience.isOut) {
          total++;
          const match = { segment, doc, score: score(doc) };
          if (!after || isBehind(match, after)) keepBest(best, match, limits.keep);
        }
        partial = patience.isOut || (++steps % DOCS_PER_CHECK === 0 && limits.deadline.isLate());
      }
    });
    partial ||= patience.isOut;
  }
  return { total, partial, matches: drain(best) };
}

/** Returns a function that computes the score of a document. It must be called with ascending document numbers. */
function scorerOf(
  one: SearchedSegment,
  statistics: QueryStatistics,
  profile: Profile,
): (doc: DocId) => number {
  const { segment } = one;
  const { ranks } = segment;
  const { lengths, entries, urlDepths } = segment.reader.table;
  const { idfs, meanLength } = statistics;
  const cursors = reading(segment, () => wordCursors(one));
  // If the query consists of filters, it has no words to score. Pages with the highest PageRank then come
  // first.
  if (cursors.length === 0) return (doc) => Math.log2(1 + (segment.ranks?.[doc] ?? 0));
  return (doc) => {
    const relativeLength = lengths[doc]! / meanLength;
    let sum = 0;
    let mass = 0;
    for (let word = 0; word < cursors.length; word++) {
      const cursor = cursors[word];
      if (cursor?.seek(doc) !== doc) continue;
      sum = cursor.addTo(sum, profile, idfs[word]!, relativeLength);
      mass += idfs[word]! * cursor.share;
    }
    const text = textScore(sum, mass, statistics);
    return ranks ? text + staticScore(profile, ranks[doc]!, entries[doc] === 1, urlDepths[doc]!) : text;
  };
}

/**
 * Adds a match to the heap `best`, which has the `keep` best matches so far. The worst of them is at the top of the
 * heap.
 */
export function keepBest(best: Heap<Match>, match: Match, keep: number): void {
  if (best.size < keep) best.push(match);
  else if (keep > 0 && isWorse(best.peek()!, match)) best.replaceTop(match);
}

/**
 * Returns true if match `a` ranks below match `b`. Matches with equal scores are ordered by the fingerprint of the
 * URL, so that the order does not depend on segments and shards.
 */
export function isWorse(a: Match, b: Match): boolean {
  if (a.score !== b.score) return a.score < b.score;
  return fingerprintOf(a) > fingerprintOf(b);
}

function isBehind(match: Match, place: ListPlace): boolean {
  if (match.score !== place.score) return match.score < place.score;
  return fingerprintOf(match) > place.fingerprint;
}

function fingerprintOf({ segment, doc }: Match): bigint {
  return segment.reader.table.fingerprints[doc]!;
}

/** Empties the heap. Returns its matches, best first. */
export function drain(best: Heap<Match>): Match[] {
  const matches: Match[] = [];
  for (let match = best.pop(); match; match = best.pop()) matches.push(match);
  return matches.reverse();
}
