/** Rules that the Spanish, Italian and Portuguese stemmers have in common. */
import { endsIn, type IsVowel, indexAfter, type SuffixTable, without, withoutIn } from './suffixes.ts';

export function romanceRegion(word: string, isVowel: IsVowel): number {
  if (word.length < 2) return word.length;
  if (!isVowel(word[1])) return indexAfter(word, 2, isVowel);
  if (isVowel(word[0])) return indexAfter(word, 2, (letter) => !isVowel(letter));
  return Math.min(3, word.length);
}

/**
 * Removes one more suffix in the region R2 after `-amente` was removed from an adverb. If that suffix is
 * `iv`, also removes `at` before it.
 */
export function cutBeforeAmente(word: string, table: SuffixTable<'any'>, r2: number): string {
  const found = table.longest(word);
  if (!found || !endsIn(word, found[0], r2)) return word;
  const rest = without(word, found[0].length);
  return found[0] === 'iv' ? withoutIn(rest, 'at', r2) : rest;
}

/** Removes the longest suffix of the table that the word has, if that suffix is in the region. */
export function cutLongest(word: string, table: SuffixTable<'any'>, region: number): string {
  const found = table.longest(word);
  return found ? withoutIn(word, found[0], region) : word;
}

/** Removes the longest suffix of the table that lies within the region; returns null if there is none. */
export function cutWithin(word: string, table: SuffixTable<'any'>, region: number): string | null {
  const found = table.longest(word, region);
  return found && without(word, found[0].length);
}
