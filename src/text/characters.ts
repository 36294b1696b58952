/**
 * Classifies characters for the tokenizer.
 *
 *   other      separates words
 *   word       letters and digits
 *   unspaced   letters of scripts that are written without spaces between words
 *   extend     never begins a word but may continue one: accents, vowel signs, soft hyphens, joiners
 *
 * The kinds of characters in the Basic Multilingual Plane are cached in a table, which is filled when a
 * character is first read. A regular expression test for every character would take longer than all the rest
 * of indexing.
 */
export const CharKind = { other: 0, word: 1, unspaced: 2, extend: 3 } as const;
export type CharKind = (typeof CharKind)[keyof typeof CharKind];

const UNKNOWN = 255;
const table = new Uint8Array(0x10000).fill(UNKNOWN);

/**
 * Matches characters of the kind `extend`. They include the two half-width sound marks (U+FF9E, U+FF9F),
 * which follow their letter as a separate character: `ﾊﾞ`.
 */
const EXTEND = /[\p{M}\u00AD\u200C-\u200D\u2060\uFEFF\uFF9E\uFF9F]/u;
const WORD = /[\p{L}\p{Nd}\p{Nl}]/u;
const UNSPACED =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Bopomofo}\p{sc=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;
const DIGIT = /\p{Nd}/u;

/** Returns the kind of the character that begins at `at`. The second half of a surrogate pair is `other`. */
export function kindAt(text: string, at: number): CharKind {
  const code = text.charCodeAt(at);
  if (code >= 0xd800 && code < 0xdc00) return kindOfCodePoint(text.codePointAt(at)!);
  const known = table[code]!;
  if (known !== UNKNOWN) return known as CharKind;
  const kind = kindOfCodePoint(code);
  table[code] = kind;
  return kind;
}

/** Returns the number of UTF-16 units of the character that begins at `at`. */
export function widthAt(text: string, at: number): number {
  return text.codePointAt(at)! > 0xffff ? 2 : 1;
}

export function kindOfCodePoint(codePoint: number): CharKind {
  const character = String.fromCodePoint(codePoint);
  if (EXTEND.test(character)) return CharKind.extend;
  if (!WORD.test(character)) return CharKind.other;
  return UNSPACED.test(character) && !DIGIT.test(character) ? CharKind.unspaced : CharKind.word;
}
