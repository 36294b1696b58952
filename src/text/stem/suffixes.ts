/**
 * Functions that all stemmers use: suffix tables and the regions of a word.
 *
 * The rules are those of Snowball (M. F. Porter, https://snowballstem.org/algorithms/), implemented from
 * their descriptions. A region is represented by the offset where it begins: R1 begins after the first
 * consonant that follows a vowel, R2 after the next such consonant, and each language defines RV. A suffix is
 * in a region if all its letters are.
 */

/** A table of suffixes. The kind of a suffix selects the rule to apply. */
export class SuffixTable<Kind extends string> {
  /** For each letter, the suffixes that end with it, longest first. */
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

  /**
   * Returns the longest suffix of the word that begins at `from` or later, with its kind; null if there is
   * none.
   */
  longest(word: string, from = 0): readonly [suffix: string, kind: Kind] | null {
    for (const entry of this.#byLast.get(word[word.length - 1] ?? '') ?? []) {
      if (word.length - entry[0].length >= from && word.endsWith(entry[0])) return entry;
    }
    return null;
  }
}

/** Makes a table whose suffixes all have the same kind. */
export function suffixes(list: string): SuffixTable<'any'> {
  return new SuffixTable({ any: list });
}

/** The code point below which vowels are looked up in a table. It covers Latin and Cyrillic letters. */
const LATIN_AND_CYRILLIC = 0x530;

export function isVowelOf(vowels: string): (letter: string | undefined) => boolean {
  const isVowel = new Uint8Array(LATIN_AND_CYRILLIC);
  for (const letter of vowels) isVowel[letter.charCodeAt(0)] = 1;
  return (letter) => letter !== undefined && isVowel[letter.charCodeAt(0)] === 1;
}

export type IsVowel = ReturnType<typeof isVowelOf>;

/** Returns the offset after the next consonant that follows a vowel, searching from `from`. */
export function regionAfter(word: string, from: number, isVowel: IsVowel): number {
  let at = from;
  while (at < word.length && !isVowel(word[at])) at++;
  while (at < word.length && isVowel(word[at])) at++;
  return Math.min(word.length, at + 1);
}

/** Returns the offset after the first letter, starting at `from`, for which `isWanted` is true. */
export function indexAfter(word: string, from: number, isWanted: (letter: string) => boolean): number {
  for (let at = from; at < word.length; at++) if (isWanted(word[at]!)) return at + 1;
  return word.length;
}

/** Returns true if the word ends with `suffix` and the suffix is in the region. */
export function endsIn(word: string, suffix: string, region: number): boolean {
  return word.length - suffix.length >= region && word.endsWith(suffix);
}

export function without(word: string, count: number): string {
  return word.slice(0, word.length - count);
}

/** Removes the suffix if the word has it in the region. */
export function withoutIn(word: string, suffix: string, region: number): string {
  return endsIn(word, suffix, region) ? without(word, suffix.length) : word;
}

export function ending(word: string, count: number, instead: string): string {
  return without(word, count) + instead;
}
