/**
 * First stage: counts every match of a query and keeps the best.
 *
 * The search kernel answers most queries. Queries that it does not support (operators, fields, filters, lists
 * too long for its memory) are evaluated here, document at a time. Both ways are exact, so `total` is the
 * true count. Ties are broken by the fingerprint of the URL, which does not depend on how the index is
 * divided into segments.
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
  /** True if the query was late before all documents had been evaluated. */
  partial: boolean;
  /** The best matches, best first. */
  matches: Match[];
}

export interface EvaluationLimits {
  keep: number;
  /**
   * True if the caller needs `total`. If false, `total` is only a lower bound, and the best are found sooner.
   */
  count: boolean;
  /** Stops the evaluation with the matches so far. */
  deadline: Deadline;
  /** Keeps only matches that come after this place in the order of matches; all matches are counted. */
  after?: ListPlace | undefined;
}

/** The place of a match in the order of all matches. */
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

/** Returns a scorer. It must be called for documents in ascending order. */
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
  // A query of filters alone has no text to score: the most linked pages come first.
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

/** Adds a match to the `keep` best matches. The heap `best` has the worst of them at its top. */
export function keepBest(best: Heap<Match>, match: Match, keep: number): void {
  if (best.size < keep) best.push(match);
  else if (keep > 0 && isWorse(best.peek()!, match)) best.replaceTop(match);
}

/** Breaks ties by the fingerprint of the URL, so that the order does not depend on segments and shards. */
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

/** Returns the matches of the heap, best first. */
export function drain(best: Heap<Match>): Match[] {
  const matches: Match[] = [];
  for (let match = best.pop(); match; match = best.pop()) matches.push(match);
  return matches.reverse();
}
