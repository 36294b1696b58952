/**
 * Classifies characters for the sketch with one table lookup. The class of a character that belongs to a word
 * is the code of its lower-case form; all other characters have one of four special classes. Letters and digits
 * of scripts with spaces make words; a letter of a script without spaces is a word by itself.
 *
 * The tokenizer in `text/` is more precise, because its words are searched for, but it makes a string of each
 * word. Here only equality matters and nothing is displayed, so one code unit at a time is enough: surrogate
 * pairs are two units of one word, and a letter whose lower case has several units stays as it is. The table
 * is filled when a character is first seen.
 */

import { FOLDED } from './sketch-kernel.ts';

/**
 * The special classes. The numbers 0, 0xfffd, 0xfffe and 0xffff are not codes of letters, so a special class is
 * never equal to the class of a letter.
 */
const Special = { separator: 0, unspaced: 0xfffd, ignored: 0xfffe, unknown: 0xffff } as const;

const WORD = /[\p{L}\p{N}]/u;
const IGNORED = /[\p{M}\u00AD\u200C-\u200D\u2060\uFEFF]/u;
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

FOLDED.fill(Special.unknown);

for (let code = 0; code < 0x80; code++) classify(code);

export function classify(code: number): void {
  FOLDED[code] = kindOf(code);
}

function kindOf(code: number): number {
  if (code >= 0xd800 && code < 0xe000) return code;
  const character = String.fromCharCode(code);
  if (IGNORED.test(character)) return Special.ignored;
  if (!WORD.test(character)) return Special.separator;
  if (UNSPACED.test(character)) return Special.unspaced;
  const lower = character.toLowerCase();
  return lower.length === 1 ? lower.charCodeAt(0) : code;
}
