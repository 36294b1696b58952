/**
 * BM25 (Robertson and Zaragoza, "The Probabilistic Relevance Framework", 2009) in the variant that is never
 * negative. The frequency is the weighted sum over all fields, as in simple BM25F.
 */
import { FREQUENCY_UNIT } from '../index/mod.ts';
import type { Profile } from './profile.ts';

/** Returns the IDF of a word, which is greater for rare words. Both numbers count live documents only. */
export function inverseDocumentFrequency(docCount: number, docFrequency: number): number {
  return Math.log(1 + (docCount - docFrequency + 0.5) / (docFrequency + 0.5));
}

/**
 * Returns the score that one word adds to a document.
 *
 * `frequency` is in the units of the index; `relativeLength` is the document's length divided by the mean.
 */
export function termScore(profile: Profile, idf: number, frequency: number, relativeLength: number): number {
  const weight = frequency / FREQUENCY_UNIT;
  return (idf * weight * (profile.k1 + 1)) / (weight + lengthNorm(profile, relativeLength));
}

/** Returns the length normalization of BM25: long documents have more occurrences of every word. */
export function lengthNorm({ k1, b }: Profile, relativeLength: number): number {
  return k1 * (1 - b + b * relativeLength);
}
