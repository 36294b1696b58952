/**
 * What the stemmers of all languages are written with: suffix tables and the regions of a word.
 *
 * The rules are those of Snowball (M. F. Porter, https://snowballstem.org/algorithms/), written anew from their
 * descriptions. A region is where it begins: R1 is after the first consonant that follows a vowel, R2 is the R1 of
 * R1, RV is defined by each language. A suffix is in a region if all of it is.
 */

/** Suffixes by what is to be done about them. */
export class SuffixTable<Kind extends string> {
  /** By last letter, longest first. */
  readonly #byLast = new Map<string, [string, Kind][]>();

  constructor(kinds: Record<Kind, string>) {
    for (const [kind, suffixes] of Object.entries<string>(kinds)) {
      for (const suffix of suffixes.split(' ')) {
        const last = suffix.at(-1)!;
        this.#byLast.set(last, [...(this.#byLast.get(last) ?? []), [suffix, kind as Kind]]);
      }
    }
    for (const list of this.#byLast.values()) list.sort((a, b) => b[0].length - a[0].length);
  }

  /** The longest suffix that begins at `from` or later, and its kind. */
  longest(word: string, from = 0): readonly [suffix: string, kind: Kind] | null {
    for (const entry of this.#byLast.get(word[word.length - 1] ?? '') ?? []) {
      if (word.length - entry[0].length >= from && word.endsWith(entry[0])) return entry;
    }
    return null;
  }
}

/** A table of suffixes that are all treated alike. */
export function suffixes(list: string): SuffixTable<'any'> {
  return new SuffixTable({ any: list });
}

/** Code points below this. */
const LATIN_AND_CYRILLIC = 0x530;

export function isVowelOf(vowels: string): (letter: string | undefined) => boolean {
  const isVowel = new Uint8Array(LATIN_AND_CYRILLIC);
  for (const letter of vowels) isVowel[letter.charCodeAt(0)] = 1;
  return (letter) => letter !== undefined && isVowel[letter.charCodeAt(0)] === 1;
}

export type IsVowel = ReturnType<typeof isVowelOf>;

/** Where the region after the next consonant that follows a vowel begins. */
export function regionAfter(word: string, from: number, isVowel: IsVowel): number {
  let at = from;
  while (at < word.length && !isVowel(word[at])) at++;
  while (at < word.length && isVowel(word[at])) at++;
  return Math.min(word.length, at + 1);
}

/** The position after the first letter from `from` on that is wanted. */
export function indexAfter(word: string, from: number, isWanted: (letter: string) => boolean): number {
  for (let at = from; at < word.length; at++) if (isWanted(word[at]!)) return at + 1;
  return word.length;
}

/** Whether `suffix` ends the word and is in the region. */
export function endsIn(word: string, suffix: string, region: number): boolean {
  return word.length - suffix.length >= region && word.endsWith(suffix);
}

/** The word without its last `count` letters. */
export function without(word: string, count: number): string {
  return word.slice(0, word.length - count);
}

/** Without the suffix, if the region has it. */
export function withoutIn(word: string, suffix: string, region: number): string {
  return endsIn(word, suffix, region) ? without(word, suffix.length) : word;
}

/** The word with another ending in place of its last `count` letters. */
export function ending(word: string, count: number, instead: string): string {
  return without(word, count) + instead;
}
