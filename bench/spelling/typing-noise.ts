/**
 * Simulates typing errors from a seed. There are four kinds, each in a quarter of the cases: a wrong letter
 * (three times in five the letter of a neighbouring key), a missing letter, an extra letter, or two swapped
 * letters. One word in ten gets two errors. The simulation does not use the error costs of the corrector.
 */
import type { Random } from '../../src/base/mod.ts';

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const ROWS = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm'];

/** Returns the word with one or two typing errors; the result always differs from the word. */
export function mistyped(word: string, random: Random): string {
  for (;;) {
    const once = withError(word, random);
    const typed = random.chance(0.1) ? withError(once, random) : once;
    if (typed !== word && typed.length >= 3) return typed;
  }
}

function withError(word: string, random: Random): string {
  const at = random.below(word.length);
  const letter = word[at]!;
  const [before, after] = [word.slice(0, at), word.slice(at + 1)];
  switch (random.below(4)) {
    case 0:
      return before + (random.chance(0.6) ? beside(letter, random) : random.pick([...LETTERS])) + after;
    case 1:
      return before + after;
    case 2:
      return (
        before + letter + random.pick([letter, beside(letter, random), random.pick([...LETTERS])]) + after
      );
    default:
      return before + after.slice(0, 1) + letter + after.slice(1);
  }
}

function beside(letter: string, random: Random): string {
  const row = ROWS.find((keys) => keys.includes(letter)) ?? letter;
  const at = row.indexOf(letter);
  return row[at + (random.chance(0.5) ? 1 : -1)] ?? letter;
}
