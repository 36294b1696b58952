/** Folding backwards: which letters may stand where a folded word has none but plain ones. */
import { fold } from './fold.ts';

/** Latin, Greek and Cyrillic with accents; other scripts have few words that differ in them alone. */
const ACCENTED: readonly [from: number, to: number][] = [
  [0xc0, 0x24f],
  [0x370, 0x52f],
  [0x1e00, 0x1fff],
];

/** By the first letter of what they fold to: letters with their fold, ascending. Made when it is first asked for. */
let letters: Map<string, { letter: string; folded: string }[]> | undefined;

const folds = new Map<string, string>();

/** What a letter that a word can have folds to; empty if that is no letter. */
export function foldedLetter(letter: string): string {
  if (letter < '\x80') return letter;
  const known = folds.get(letter) ?? fold(letter);
  folds.set(letter, known);
  return known;
}

/** The least letter after `after` that folds to what `folded` has from `at` on; null if there is none. */
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
