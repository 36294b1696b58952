/**
 * Finds the words, or prefixes of words, of a sorted dictionary that differ only in accents.
 *
 * Words are not sorted by their folded form. From a word that does not match, the search therefore seeks to
 * the least greater string that could match: it replaces the last possible letter by the next letter with the
 * wanted folded form. A word of ten letters takes about ten to twenty seeks, because few prefixes with
 * accents exist.
 */
import { foldedLetter, nextLetter } from '../../text/mod.ts';

/** The maximum number of spellings that are returned. No real word has more. */
const MAX_SPELLINGS = 16;
const MAX_LEAPS = 256;

/** Returns the first word that is not less than its argument. */
type FirstFrom = (from: string) => string | null;

/** The part of a word that is compared, the offsets of its letters (see `matched`), and whether it matches. */
interface Part {
  text: string;
  offsets: readonly number[];
  isFound: boolean;
}

/** Returns the words with the folded form `folded`, without `folded` itself. */
export function spellingsAmong(firstFrom: FirstFrom, folded: string): string[] {
  return walk(firstFrom, folded, (word, offsets) => {
    const isFound = offsets.length > word.length && offsets.at(-1) === folded.length;
    return { text: word, offsets, isFound };
  });
}

/**
 * Returns the prefixes of words with the folded form `folded`, without `folded` itself. From each prefix
 * found, the search seeks past all words with that prefix.
 */
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
  // The wanted form itself is not among the results, so the search starts after it.
  const wanted = partOf(folded, matched(folded, folded));
  let target = nextTarget(wanted.text, folded, wanted.offsets);
  for (let leaps = 0; target !== null && leaps < MAX_LEAPS && found.length < MAX_SPELLINGS; leaps++) {
    const word = firstFrom(target);
    if (word === null) break;
    const { text, offsets, isFound } = partOf(word, matched(word, folded));
    if (isFound && text !== folded) found.push(text);
    target = nextTarget(text, folded, offsets);
  }
  return found;
}

/** Returns, for each matching letter of the word and for the letter after them, its offset in `folded`. */
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

/** Returns the least string after the word that could be a prefix of a spelling. */
function nextTarget(word: string, folded: string, offsets: readonly number[]): string | null {
  for (let at = offsets.length - 1; at >= 0; at--) {
    const letter = nextLetter(folded, offsets[at]!, word[at] ?? '');
    if (letter !== null) return word.slice(0, at) + letter;
  }
  return null;
}
