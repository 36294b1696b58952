/** Chooses the words that the lexicon of a segment lists, and numbers them in sorted order. */
import { MAX_WORD_LENGTH, MAX_WORDS } from './segment-lexicon-format.ts';

interface ListedWords {
  words: string[];
  counts: Uint32Array;
  /**
   * The number of each word in the lexicon, indexed by the number of the word before; -1 if the lexicon does
   * not list the word.
   */
  newNumbers: Int32Array;
}

/**
 * Chooses the words to list. `order` has the numbers of all words, ascending by text. If more than `limit`
 * words were counted, the rarest are left out.
 */
export function listWords(
  textOf: (number: number) => string,
  counts: Float64Array,
  order: Uint32Array,
  limit = MAX_WORDS,
): ListedWords {
  let listed = order.filter((number) => counts[number]! > 0 && textOf(number).length <= MAX_WORD_LENGTH);
  for (let rare = 1; listed.length > limit; rare++)
    listed = listed.filter((number) => counts[number]! > rare);
  const newNumbers = new Int32Array(order.length).fill(-1);
  const words: string[] = [];
  const listedCounts = new Uint32Array(listed.length);
  for (let at = 0; at < listed.length; at++) {
    const number = listed[at]!;
    newNumbers[number] = at;
    words.push(textOf(number));
    listedCounts[at] = counts[number]!;
  }
  return { words, counts: listedCounts, newNumbers };
}
