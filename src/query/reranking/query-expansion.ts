/**
 * Query expansion by pseudo-relevance feedback: adds terms of the best documents to the query.
 *
 * A query that is a sentence has only some of the words for its topic. Most of the best documents are about
 * that topic, and the words that several of them share are further words for it. These words add to the score
 * of each candidate. The idea is from Rocchio and from relevance models. Here it is limited to the candidates:
 * there is no second search, so expansion changes the order of the candidates but never adds documents that do
 * not match the query.
 *
 * Short queries are not expanded, because they name their topic precisely; see `minWords` of a ranking profile.
 *
 * The gateway chooses the terms, because the best documents may be in several shards. The shards compute the scores.
 */

import { FREQUENCY_UNIT } from '../../index/mod.ts';
import {
  inverseDocumentFrequency,
  lengthNorm,
  type Profile,
  type QueryStatistics,
} from '../../scoring/mod.ts';
import { asTerms, lookUp } from '../terms/mod.ts';
import { frequenciesOf } from './position-lookup.ts';
import {
  eachSegment,
  lookupContextOf,
  type SecondStage,
  type SegmentDoc,
  type SegmentMatches,
} from './rerank.ts';

/** A term that several of the best documents share. The terms with the greatest values become expansion terms. */
interface ValuedTerm {
  term: string;
  value: number;
}

interface SharedTerm {
  term: string;
  share: number;
}

/**
 * The minimum number of best documents that contain an expansion term, and also the minimum number of documents of
 * the index that contain it.
 */
export const MIN_EXPANSION_DOCUMENTS = 2;
/** The maximum share of all documents that may contain an expansion term. Terms above it are too common. */
const MAX_DOCUMENT_SHARE = 0.25;

/** Returns true if the ranking profile expands a query with these words. Function words such as "the" do not count. */
export function isExpanded({ feedback }: Profile, { isFunction }: QueryStatistics): boolean {
  const contentWords = isFunction.filter((isFunctionWord) => !isFunctionWord).length;
  return feedback !== null && contentWords >= feedback.minWords;
}

/** Returns the maximum number of documents that may contain an expansion term, in an index of `docCount` documents. */
export function maxExpansionFrequency(docCount: number): number {
  return Math.max(3, docCount * MAX_DOCUMENT_SHARE);
}

/**
 * Chooses expansion terms among the terms that the best documents share. `frequencies` has the number of live
 * documents that contain each term.
 */
export function chooseExpansionTerms(
  shared: readonly ValuedTerm[],
  frequencies: readonly number[],
  docCount: number,
  limit: number,
): SharedTerm[] {
  const most = maxExpansionFrequency(docCount);
  const rarityOf = (frequency: number) =>
    frequency >= MIN_EXPANSION_DOCUMENTS && frequency <= most
      ? inverseDocumentFrequency(docCount, frequency)
      : 0;
  const weighed = shared
    .map(({ term, value }, at) => ({ term, value: value * rarityOf(frequencies[at]!) }))
    .filter(({ value }) => value > 0)
    .sort((a, b) => b.value - a.value || (a.term < b.term ? -1 : 1))
    .slice(0, limit);
  const total = weighed.reduce((sum, { value }) => sum + value, 0);
  return weighed.map(({ term, value }) => ({ term, share: value / total }));
}

/** Returns, for each document, the BM25 score of the expansion terms, weighted by their shares. */
export function scoreExpansion(
  terms: readonly SharedTerm[],
  stage: SecondStage,
  places: readonly SegmentDoc[],
): Float64Array {
  const scores = new Float64Array(places.length);
  const words = asTerms(terms.map(({ term }) => term));
  const segments = stage.searched.map(({ segment }) => segment);
  const searched = lookUp(segments, words, stage.deadline);
  eachSegment({ searched }, places, (matches) => scoreTerms(terms, stage, matches, scores));
  return scores;
}

function scoreTerms(
  terms: readonly SharedTerm[],
  stage: SecondStage,
  { one, own, docs }: SegmentMatches,
  scores: Float64Array,
): void {
  const { profile, statistics } = stage;
  const { lengths } = one.segment.reader.table;
  const anchors = terms.map(() => []);
  const found = frequenciesOf(lookupContextOf(stage), { ...one, anchors }, docs);
  for (let place = 0; place < own.length; place++) {
    const norm = lengthNorm(profile, lengths[docs[place]!]! / (statistics.meanLength || 1));
    let score = 0;
    for (let word = 0; word < terms.length; word++) {
      const frequency = (found[word]?.[place] ?? 0) / FREQUENCY_UNIT;
      score += (terms[word]!.share * frequency * (profile.k1 + 1)) / (frequency + norm);
    }
    scores[own[place]!] = score;
  }
}
