/**
 * Query expansion by pseudo-relevance feedback: terms of the best documents are added to the query.
 *
 * A query in a sentence uses only some of the words for its topic. Most of the documents found first are
 * about that topic, and the words that several of them share are other words for it. Each candidate gets a
 * further score for these words. The idea is that of Rocchio and of relevance models, limited to the
 * candidates: there is no second search, so expansion changes the order of the candidates but never adds
 * documents that do not match the query.
 *
 * A short query names one thing precisely, and expansion would blur it; see `minWords` of a profile.
 *
 * The gateway chooses the terms, because the best documents may be in several shards; a shard scores them.
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
import { eachSegment, lookupContextOf, type SecondStage, type SegmentDoc } from './rerank.ts';

/** A term that the best documents share; those with the greatest values are chosen. */
interface ValuedTerm {
  term: string;
  value: number;
}

interface SharedTerm {
  term: string;
  share: number;
}

/**
 * An expansion term must be in at least this many of the best documents, and in at least this many documents of the
 * index.
 */
export const MIN_EXPANSION_DOCUMENTS = 2;
/** Terms that are in a greater share of all documents are too common to be expansion terms. */
const MAX_DOCUMENT_SHARE = 0.25;

/** Returns true if the profile expands a query with these words. */
export function isExpanded({ feedback }: Profile, { isFunction }: QueryStatistics): boolean {
  const contentWords = isFunction.filter((isFunctionWord) => !isFunctionWord).length;
  return feedback !== null && contentWords >= feedback.minWords;
}

/** Returns the greatest number of documents that an expansion term may be in. */
export function maxExpansionFrequency(docCount: number): number {
  return Math.max(3, docCount * MAX_DOCUMENT_SHARE);
}

/**
 * Chooses expansion terms among the terms that the best documents share. `frequencies` are the numbers of live
 * documents that have each term.
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

/** Returns, per document, the BM25 score of the expansion terms, with their shares as weights. */
export function scoreExpansion(
  terms: readonly SharedTerm[],
  stage: SecondStage,
  places: readonly SegmentDoc[],
): Float64Array {
  const scores = new Float64Array(places.length);
  const { profile, statistics } = stage;
  const words = asTerms(terms.map(({ term }) => term));
  const segments = stage.searched.map(({ segment }) => segment);
  const anchors = terms.map(() => []);
  eachSegment({ searched: lookUp(segments, words, stage.deadline) }, places, (one, own, docs) => {
    const { lengths } = one.segment.reader.table;
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
  });
  return scores;
}
