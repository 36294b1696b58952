/**
 * Decides how likely a text is on a topic: multinomial naive Bayes on the features of `topic-features.ts`.
 *
 *   log-odds = bias + sum of the weights of all words × min(1, EVIDENCE / number of words)
 *
 * The words of a page are not independent, as naive Bayes assumes. Therefore a page counts as much as EVIDENCE words;
 * otherwise every page would be on the topic, or not, with certainty.
 *
 * The data of a classifier can be sent to the parser threads.
 */
import { BUCKETS, wordFeaturesOf } from './topic-features.ts';

const EVIDENCE = 100;

export interface ClassifierData {
  bias: number;
  /** The weight of each feature: the logarithm of how much more frequent its word is on the topic. */
  weights: Float32Array;
}

export class TopicClassifier {
  readonly #data: ClassifierData;

  constructor(data: ClassifierData) {
    this.#data = data;
  }

  /** Returns the probability that a text is on the topic, between 0 and 1. */
  relevanceOf(text: string): number {
    const { counts, length } = wordFeaturesOf(text);
    const { bias, weights } = this.#data;
    let sum = 0;
    for (const [bucket, count] of counts) sum += weights[bucket]! * count;
    return 1 / (1 + Math.exp(-bias - sum * Math.min(1, EVIDENCE / length)));
  }

  relevanceOfPage(page: { title: string; text: string }): number {
    return this.relevanceOf(textOfPage(page));
  }
}

/** Returns the text of a page that a classifier reads. */
export function textOfPage({ title, text }: { title: string; text: string }): string {
  return `${title}\n${text}`;
}

export function emptyWeights(): Float32Array<ArrayBuffer> {
  return new Float32Array(BUCKETS);
}
