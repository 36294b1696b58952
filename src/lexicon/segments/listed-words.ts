/** Chooses the words that the lexicon of a segment lists, and numbers them in their order. */
import { MAX_WORD_LENGTH, MAX_WORDS } from './segment-lexicon-format.ts';

interface ListedWords {
  words: string[];
  counts: Uint32Array;
  /** The number of each word in the list, by its number in `texts`; -1 if it is not listed. */
  newNumbers: Int32Array;
}

/**
 * `order` has the numbers of the words in ascending order of their texts. If more than `limit` words were counted, the
 * rarest are left out.
 */
export function listWords(
  texts: readonly string[],
  counts: Float64Array,
  order: Uint32Array,
  limit = MAX_WORDS,
): ListedWords {
  let listed = order.filter((number) => counts[number]! > 0 && texts[number]!.length <= MAX_WORD_LENGTH);
  for (let rare = 1; listed.length > limit; rare++)
    listed = listed.filter((number) => counts[number]! > rare);
  const newNumbers = new Int32Array(texts.length).fill(-1);
  const words: string[] = [];
  const listedCounts = new Uint32Array(listed.length);
  for (let at = 0; at < listed.length; at++) {
    const number = listed[at]!;
    newNumbers[number] = at;
    words.push(texts[number]!);
    listedCounts[at] = counts[number]!;
  }
  return { words, counts: listedCounts, newNumbers };
}
