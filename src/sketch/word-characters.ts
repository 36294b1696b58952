/**
 * Classifies a character for the sketch, with one table lookup: its lower-case code if it belongs to a word,
 * or one of the special numbers below. Letters and digits of scripts with spaces make words; a letter of a
 * script without spaces is a word by itself.
 *
 * The analyser of `text/` solves a finer task (terms to search for) and makes a string of each word. Here
 * only equality matters and nothing is displayed, so one code unit at a time is enough: surrogate pairs are
 * two units of one word, and a letter whose lower case is longer keeps its own code. The table is filled as
 * text is seen.
 */

import { FOLDED } from './sketch-kernel.ts';

/** These are not letters of any script, so no folded code equals one of them. */
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
