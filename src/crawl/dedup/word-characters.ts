/**
 * What a character is to the sketch, as one table look-up: its lower-case code when it belongs to a
 * word, or one of the special numbers below. Letters and digits of scripts with spaces make words; a
 * letter of a script without spaces is a word by itself.
 *
 * The analyser of `text/` answers a finer question (terms to search for) and makes a string of each
 * word. Here only sameness counts and nothing is shown, so a code unit at a time is enough: pairs of
 * surrogates are two units of one word, and a letter whose lower case is longer keeps its own code.
 * The table fills as text is seen.
 */

import { FOLDED } from './sketch-kernel.ts';

/** No letters of any script, so no folded code is among them. */
export const Special = { separator: 0, unspaced: 0xfffd, ignored: 0xfffe, unknown: 0xffff } as const;

const WORD = /[\p{L}\p{N}]/u;
const IGNORED = /[\p{M}\u00AD\u200C-\u200D\u2060\uFEFF]/u;
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

FOLDED.fill(Special.unknown);

for (let code = 0; code < 0x80; code++) classify(code);

/** Fills the entry of `code`. */
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
