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

/** `firstFrom` gives the first word that is not before its argument; `folded` is what all of them fold to. */
export function spellingsAmong(firstFrom: (from: string) => string | null, folded: string): string[] {
  const found: string[] = [];
  let target: string | null = folded;
  for (let leaps = 0; target !== null && leaps < MAX_LEAPS && found.length < MAX_SPELLINGS; leaps++) {
    const word = firstFrom(target);
    if (word === null) break;
    const offsets = matched(word, folded);
    const isWhole = offsets.length > word.length && offsets.at(-1) === folded.length;
    if (isWhole && word !== folded) found.push(word);
    target = nextTarget(word, folded, offsets);
  }
  return found;
}

/** The beginnings of words that fold to `folded`, without itself; from each the walk leaps behind all its words. */
export function beginningsAmong(firstFrom: (from: string) => string | null, folded: string): string[] {
  const found: string[] = [];
  let target: string | null = folded;
  for (let leaps = 0; target !== null && leaps < MAX_LEAPS && found.length < MAX_SPELLINGS; leaps++) {
    const word = firstFrom(target);
    if (word === null) break;
    const offsets = matched(word, folded);
    const isWhole = offsets.at(-1) === folded.length;
    const beginning = isWhole ? word.slice(0, offsets.length - 1) : word;
    if (isWhole && beginning !== folded) found.push(beginning);
    target = nextTarget(beginning, folded, isWhole ? offsets.slice(0, -1) : offsets);
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
