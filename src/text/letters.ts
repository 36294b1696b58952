/** Reverses folding: finds the accented letters that fold to a given letter. */
import { fold } from './fold.ts';

/**
 * The code point ranges of accented Latin, Greek and Cyrillic letters. In other scripts few words differ only
 * in accents.
 */
const ACCENTED: readonly [from: number, to: number][] = [
  [0xc0, 0x24f],
  [0x370, 0x52f],
  [0x1e00, 0x1fff],
];

/**
 * The accented letters with their folded forms in ascending order, grouped by the first letter of the folded
 * form. Computed at the first use.
 */
let letters: Map<string, { letter: string; folded: string }[]> | undefined;

const folds = new Map<string, string>();

/** Returns the folded form of a letter; empty if the letter is removed completely. */
export function foldedLetter(letter: string): string {
  if (letter < '\x80') return letter;
  const known = folds.get(letter) ?? fold(letter);
  folds.set(letter, known);
  return known;
}

/**
 * Returns the smallest letter greater than `after` whose folded form is in `folded` at offset `at`; null if
 * there is none.
 */
export function nextLetter(folded: string, at: number, after: string): string | null {
  const plain = folded[at];
  if (plain === undefined) return null;
  if (plain > after) return plain;
  letters ??= accentedLetters();
  const next = letters.get(plain)?.find((one) => one.letter > after && folded.startsWith(one.folded, at));
  return next?.letter ?? null;
}

function accentedLetters(): NonNullable<typeof letters> {
  const found: NonNullable<typeof letters> = new Map();
  for (const [from, to] of ACCENTED) {
    for (let code = from; code <= to; code++) {
      const letter = String.fromCharCode(code);
      const folded = fold(letter);
      if (folded === '' || folded === letter || letter.toLowerCase() !== letter) continue;
      found.set(folded[0]!, [...(found.get(folded[0]!) ?? []), { letter, folded }]);
    }
  }
  return found;
}
