/**
 * First stage: counts every match of a query and keeps the best.
 *
 * Most queries are answered by the search kernel. What it does not know (operators, fields, filters, lists too long
 * for its memory) is walked here, document at a time. Both are exact, so that the total is the true one.
 * A tie is broken by the fingerprint of the URL, which is the same however the index is cut into segments.
 */
import { Heap } from '../base/mod.ts';
import { type DocId, NO_MORE_DOCS, type OpenSegment } from '../index/mod.ts';
import { type Profile, type QueryStatistics, staticScore, textScore } from '../rank/mod.ts';
import { asksForFeeds } from './condition.ts';
import { reading } from './errors.ts';
import type { KernelSearch } from './kernel-search.ts';
import { matcherOf } from './matcher.ts';
import type { SearchedSegment } from './statistics.ts';
import type { TermQuery } from './term-query.ts';
import { wordCursors } from './word-cursor.ts';

export interface Match {
  segment: OpenSegment;
  doc: DocId;
  score: number;
}

export interface Evaluation {
  total: number;
  /** It was late before all documents had been looked at. */
  partial: boolean;
  /** The best matches, best first. */
  matches: Match[];
}

export interface EvaluationLimits {
  keep: number;
  /** Whether `total` is wanted; if not, it is only a lower bound, and the best are found sooner. */
  count: boolean;
  /** Asked now and then; true stops the evaluation. */
  isLate(): boolean;
  /** Only what comes after this in the order of matches is kept; all is counted. */
  after?: Place | undefined;
}

/** Where a match stands in the order of all. */
export interface Place {
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
  const feedsToo = asksForFeeds(query.condition);
  let total = 0;
  let steps = 0;
  let partial = false;
  for (const one of searched) {
    if (partial || !query.condition) break;
    const { segment } = one;
    const hidden = feedsToo ? segment.deletes : segment.hidden;
    const matcher = reading(segment, () => matcherOf(query.condition!, segment));
    const score = scorerOf(one, statistics, profile);
    reading(segment, () => {
      for (let doc = matcher.seek(0); doc !== NO_MORE_DOCS && !partial; doc = matcher.seek(doc + 1)) {
        if (!hidden.has(doc) && matcher.confirm()) {
          total++;
          const match = { segment, doc, score: score(doc) };
          if (!after || isBehind(match, after)) keepBest(best, match, limits.keep);
        }
        partial = ++steps % DOCS_PER_CHECK === 0 && limits.isLate();
      }
    });
  }
  return { total, partial, matches: drain(best) };
}

/** To be asked for documents in ascending order. */
function scorerOf(
  one: SearchedSegment,
  statistics: QueryStatistics,
  profile: Profile,
): (doc: DocId) => number {
  const { segment } = one;
  const { lengths } = segment.reader.table;
  const { idfs, meanLength } = statistics;
  const cursors = reading(segment, () => wordCursors(one));
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
    return textScore(sum, mass, statistics) + staticScore(profile, segment.ranks?.[doc] ?? 0);
  };
}

function keepBest(best: Heap<Match>, match: Match, keep: number): void {
  if (best.size < keep) best.push(match);
  else if (keep > 0 && isWorse(best.peek()!, match)) best.replaceTop(match);
}

function isWorse(a: Match, b: Match): boolean {
  if (a.score !== b.score) return a.score < b.score;
  return fingerprintOf(a) > fingerprintOf(b);
}

function isBehind(match: Match, place: Place): boolean {
  if (match.score !== place.score) return match.score < place.score;
  return fingerprintOf(match) > place.fingerprint;
}

export function fingerprintOf({ segment, doc }: Match): bigint {
  return segment.reader.table.fingerprints[doc]!;
}

function drain(best: Heap<Match>): Match[] {
  const matches: Match[] = [];
  for (let match = best.pop(); match; match = best.pop()) matches.push(match);
  return matches.reverse();
}
