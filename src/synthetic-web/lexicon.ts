/**
 * The vocabulary of the synthetic web: English function words, then pronounceable invented words, in order of
 * frequency. It is the same for every seed.
 *
 * No word of the lexicon has a `z` or an `x`. Every unique word begins with `zu` and ends in `x`, so it
 * occurs only where it was inserted, and no stemmer changes it.
 */
import { Random } from '../base/mod.ts';

const FUNCTION_WORDS = (
  'the of and to in a is that for it as was with be by on not he this are or his from at which but ' +
  'have an had they you were their one all we can her has there been if more when will would who so no'
).split(' ');
const ONSETS = 'b br c ch cl d dr f fl g gr h j k l m n p pl pr r s sh st t tr th v w'.split(' ');
const VOWELS = 'a a e e i i o o u ai ea ou'.split(' ');
const CODAS = ['', '', '', '', ...'n r l m s t nd rk lt st'.split(' ')];
const CONSONANTS = 'bcdfghjklmnpqrstvwyz';
const UNIQUE_VOWELS = 'aeiou';
const UNIQUE_WORDS = 100 ** 4;
/**
 * The factor that scatters the numbers of unique words. It is coprime to `UNIQUE_WORDS`, so multiplication by
 * it is a permutation, and the product stays below 2^53.
 */
const SCATTER = 61_803_399;

export const LEXICON_SIZE = 20_000;
export const FUNCTION_WORD_COUNT = FUNCTION_WORDS.length;

let words: readonly string[] | undefined;
let capitalized: readonly string[] | undefined;

/** Returns the word with the given frequency rank, from 0 (most frequent) to LEXICON_SIZE - 1. */
export function wordOfRank(rank: number): string {
  words ??= inventWords();
  return words[rank]!;
}

/** Returns the word of a rank with a capital first letter. */
export function titleWord(rank: number): string {
  words ??= inventWords();
  capitalized ??= words.map((word) => word[0]!.toUpperCase() + word.slice(1));
  return capitalized[rank]!;
}

/**
 * Draws the rank of a random word by Zipf's law with exponent 1: the probability of a rank below r grows with
 * log r.
 */
export function zipfRank(random: Random): number {
  return Math.floor((LEXICON_SIZE + 1) ** random.next()) - 1;
}

/** Draws the rank of a random content word for a title. Rare words are more likely than in running text. */
export function contentRank(random: Random): number {
  const draw = random.next();
  return FUNCTION_WORD_COUNT + Math.floor((LEXICON_SIZE - FUNCTION_WORD_COUNT) * draw * draw);
}

/**
 * Returns the unique word of a document. It differs for each `number` below 10^8, and consecutive numbers
 * give dissimilar words.
 */
export function uniqueWordOf(seed: number, number: number): string {
  let rest = (number * SCATTER + (seed >>> 0)) % UNIQUE_WORDS;
  let word = 'zu';
  for (let syllable = 0; syllable < 4; syllable++) {
    const digit = rest % 100;
    word += CONSONANTS[Math.floor(digit / 5)]! + UNIQUE_VOWELS[digit % 5]!;
    rest = Math.floor(rest / 100);
  }
  return `${word}x`;
}

function inventWords(): string[] {
  const random = new Random(20_000);
  const invented = new Set(FUNCTION_WORDS);
  while (invented.size < LEXICON_SIZE) {
    const rare = invented.size / LEXICON_SIZE;
    const syllables = 2 + (random.chance(rare) ? 1 : 0);
    let word = '';
    for (let at = 0; at < syllables; at++) word += random.pick(ONSETS) + random.pick(VOWELS);
    invented.add(word + random.pick(CODAS));
  }
  return [...invented];
}
