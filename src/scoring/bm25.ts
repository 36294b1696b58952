/**
 * BM25 (Robertson and Zaragoza, "The Probabilistic Relevance Framework", 2009) in the variant whose IDF is
 * never negative. The frequency of a word is the weighted sum over all fields of the page, as in simple
 * BM25F.
 */
import { FREQUENCY_UNIT } from '../index/mod.ts';
import type { Profile } from './profile.ts';

/**
 * Returns the IDF of a word, which is greater for rare words. `docCount` and `docFrequency` count only live
 * documents.
 */
export function inverseDocumentFrequency(docCount: number, docFrequency: number): number {
  return Math.log(1 + (docCount - docFrequency + 0.5) / (docFrequency + 0.5));
}

/**
 * Returns the score that one word adds to a document.
 *
 * `frequency` is in the units of the index. `relativeLength` is the length of the document divided by the
 * mean length.
 */
export function termScore(profile: Profile, idf: number, frequency: number, relativeLength: number): number {
  const weight = frequency / FREQUENCY_UNIT;
  return (idf * weight * (profile.k1 + 1)) / (weight + lengthNorm(profile, relativeLength));
}

/**
 * Returns the length normalization of BM25: it compensates for the larger number of occurrences in long
 * documents.
 */
export function lengthNorm({ k1, b }: Profile, relativeLength: number): number {
  return k1 * (1 - b + b * relativeLength);
}
