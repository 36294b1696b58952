/**
 * The words of a sorted dictionary that are the same but for accents, or begin with the same.
 *
 * Words are not sorted by their folded form, so they are looked for letter by letter: from a word that does not match, the
 * walk leaps to the least string after it that could, with the next letter that folds to the one wanted at the first
 * place where there is such. A word of ten letters takes some ten to twenty leaps, as hardly any beginning with accents
 * exists.
 */
import { foldedLetter, nextLetter } from '../text/mod.ts';

/** No word has more; what makes one up has no claim to be found. */
const MAX_SPELLINGS = 16;
const MAX_LEAPS = 256;

/** The first word that is not before its argument. */
type FirstFrom = (from: string) => string | null;

/** What of a word is looked at: with which offsets (see `matched`), and whether it is what was looked for. */
interface Part {
  text: string;
  offsets: readonly number[];
  isFound: boolean;
}

/** The words that fold to `folded`, without itself. */
export function spellingsAmong(firstFrom: FirstFrom, folded: string): string[] {
  return walk(firstFrom, folded, (word, offsets) => {
    const isFound = offsets.length > word.length && offsets.at(-1) === folded.length;
    return { text: word, offsets, isFound };
  });
}

/** The beginnings of words that fold to `folded`, without itself; from each the walk leaps behind all its words. */
export function beginningsAmong(firstFrom: FirstFrom, folded: string): string[] {
  return walk(firstFrom, folded, (word, offsets) => {
    if (offsets.at(-1) !== folded.length) return { text: word, offsets, isFound: false };
    return { text: word.slice(0, offsets.length - 1), offsets: offsets.slice(0, -1), isFound: true };
  });
}

function walk(
  firstFrom: FirstFrom,
  folded: string,
  partOf: (word: string, offsets: readonly number[]) => Part,
): string[] {
  const found: string[] = [];
  let target: string | null = folded;
  for (let leaps = 0; target !== null && leaps < MAX_LEAPS && found.length < MAX_SPELLINGS; leaps++) {
    const word = firstFrom(target);
    if (word === null) break;
    const { text, offsets, isFound } = partOf(word, matched(word, folded));
    if (isFound && text !== folded) found.push(text);
    target = nextTarget(text, folded, offsets);
  }
  return found;
}

/** For each letter of the word that matches, and for that behind them, where in `folded` it would begin. */
function matched(word: string, folded: string): number[] {
  const offsets = [0];
  for (const letter of word) {
    const own = foldedLetter(letter);
    const at = offsets.at(-1)!;
    if (own === '' || letter.length > 1 || !folded.startsWith(own, at)) break;
    offsets.push(at + own.length);
  }
  return offsets;
}

/** The least string after the word that could be the beginning of a spelling. */
function nextTarget(word: string, folded: string, offsets: readonly number[]): string | null {
  for (let at = offsets.length - 1; at >= 0; at--) {
    const letter = nextLetter(folded, offsets[at]!, word[at] ?? '');
    if (letter !== null) return word.slice(0, at) + letter;
  }
  return null;
}
