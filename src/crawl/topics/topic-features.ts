/**
 * Converts a text to the features of a topic classifier. A feature is a word, identified by its hash modulo BUCKETS.
 */
import { eachHashedWord } from '../../text/mod.ts';

/** Number of features. Two words with the same bucket count as one word, which is rare. */
export const BUCKETS = 1 << 16;
/** Number of UTF-16 units of a text that are read. The beginning of a page tells its topic. */
const MAX_TEXT = 20_000;

/** The words of a text: the number of occurrences of each feature, and their sum. */
interface TextFeatures {
  counts: ReadonlyMap<number, number>;
  length: number;
}

export function wordFeaturesOf(text: string): TextFeatures {
  const counts = new Map<number, number>();
  let length = 0;
  eachHashedWord(text.slice(0, MAX_TEXT).toLowerCase(), (hash) => {
    const bucket = hash % BUCKETS;
    counts.set(bucket, (counts.get(bucket) ?? 0) + 1);
    length++;
  });
  return { counts, length };
}
