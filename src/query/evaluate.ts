/**
 * First stage: counts every match of a query and keeps the best.
 *
 * Most queries are answered by the search kernel. What it does not know (exclusions, sites, lists too long for its
 * memory) is walked here, document at a time over all postings. Both are exact, so that the total is the true one.
 * A tie is broken by the fingerprint of the URL, which is the same however the index is cut into segments.
 */
import { Heap } from '../base/mod.ts';
import { type DocId, NO_MORE_DOCS, type OpenSegment } from '../index/mod.ts';
import { type Profile, type QueryStatistics, staticScore, termScore, textScore } from '../rank/mod.ts';
import { reading } from './errors.ts';
import type { KernelSearch } from './kernel-search.ts';
import { Matcher } from './matcher.ts';
import type { SearchedSegment } from './statistics.ts';
import type { TermQuery } from './term-query.ts';

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
  return (
    kernel?.evaluate(query, searched, statistics, profile, limits) ??
    walk(query, searched, statistics, profile, limits)
  );
}

function walk(
  query: TermQuery,
  searched: readonly SearchedSegment[],
  statistics: QueryStatistics,
  profile: Profile,
  limits: EvaluationLimits,
): Evaluation {
  const best = new Heap<Match>(isWorse);
  let total = 0;
  let partial = false;
  for (const one of searched) {
    if (partial) break;
    reading(one.segment, () => {
      const matcher = new Matcher(query, one);
      const score = scorerOf(one.segment, matcher, statistics, profile);
      for (let doc = matcher.next(); doc !== NO_MORE_DOCS; doc = matcher.next()) {
        keepBest(best, { segment: one.segment, doc, score: score(doc) }, limits.keep);
        partial = ++total % DOCS_PER_CHECK === 0 && limits.isLate();
        if (partial) break;
      }
    });
  }
  return { total, partial, matches: drain(best) };
}

/** Scores the document that all cursors of the matcher stand on or behind. */
function scorerOf(
  segment: OpenSegment,
  matcher: Matcher,
  statistics: QueryStatistics,
  profile: Profile,
): (doc: DocId) => number {
  const { lengths } = segment.reader.table;
  const { idfs, meanLength } = statistics;
  const { cursors } = matcher;
  return (doc) => {
    const relativeLength = lengths[doc]! / meanLength;
    let sum = 0;
    let mass = 0;
    for (let word = 0; word < cursors.length; word++) {
      const cursor = cursors[word];
      if (cursor?.doc !== doc) continue;
      sum += termScore(profile, idfs[word]!, cursor.frequency, relativeLength);
      mass += idfs[word]!;
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

function fingerprintOf({ segment, doc }: Match): bigint {
  return segment.reader.table.fingerprints[doc]!;
}

function drain(best: Heap<Match>): Match[] {
  const matches: Match[] = [];
  for (let match = best.pop(); match; match = best.pop()) matches.push(match);
  return matches.reverse();
}
