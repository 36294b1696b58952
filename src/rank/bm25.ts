/**
 * BM25 (Robertson and Zaragoza, "The Probabilistic Relevance Framework", 2009) in the form that never
 * goes negative. The frequency is the weighted one of all fields together, as in the simple BM25F.
 */
import { FREQUENCY_UNIT } from '../index/mod.ts';
import type { Profile } from './profile.ts';

/** How rare a word is: what finding it says. `docFrequency` counts live documents, as `docCount` does. */
export function inverseDocumentFrequency(docCount: number, docFrequency: number): number {
  return Math.log(1 + (docCount - docFrequency + 0.5) / (docFrequency + 0.5));
}

/**
 * What one word adds to the score of a document.
 *
 * `frequency` is in the units of the index; `relativeLength` is the document's length over the mean.
 */
export function termScore(profile: Profile, idf: number, frequency: number, relativeLength: number): number {
  const weight = frequency / FREQUENCY_UNIT;
  return (idf * weight * (profile.k1 + 1)) / (weight + lengthNorm(profile, relativeLength));
}

/** What the length of a document does to all its words: long documents have more of every word. */
export function lengthNorm({ k1, b }: Profile, relativeLength: number): number {
  return k1 * (1 - b + b * relativeLength);
}
