/**
 * Finds words, or prefixes of words, in a sorted dictionary that differ from a given word only in accents, such
 * as `café` for `cafe`.
 *
 * Words are sorted with their accents, so spellings of a word are not adjacent. From a word that does not
 * match, the search jumps to the next string that could match: it replaces the last possible letter by the next
 * letter with the same folded form. A word of ten letters takes about ten to twenty seeks, because few prefixes
 * with accents exist.
 */
import { foldedLetter, nextLetter } from '../../text/mod.ts';

/** The maximum number of spellings that are returned for a word. Real words have fewer. */
const MAX_SPELLINGS = 16;
const MAX_LEAPS = 256;

/** A look-up in a sorted dictionary: returns the first word that is equal to `from` or follows it, or null. */
type FirstFrom = (from: string) => string | null;

/**
 * A word, or a prefix of a word, that the search compares with the wanted folded form. `offsets` is the
 * result of the function `matched`.
 */
interface Part {
  text: string;
  offsets: readonly number[];
  isFound: boolean;
}

/** Returns the words whose folded form (without accents) is `folded`, except `folded` itself. */
export function spellingsAmong(firstFrom: FirstFrom, folded: string): string[] {
  return walk(firstFrom, folded, (word, offsets) => {
    const isFound = offsets.length > word.length && offsets.at(-1) === folded.length;
    return { text: word, offsets, isFound };
  });
}

/**
 * Returns prefixes of words that differ from `folded` only in accents, such as `pré` for `pre`. After it
 * finds a prefix, the search skips all other words with that prefix. `folded` itself is not returned.
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
  // The search starts after the folded form itself, because it is not one of the results.
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

/**
 * Compares a word with `folded`, letter by letter, up to the first letter that does not match. Returns, for
 * each compared letter of the word, its offset in `folded`.
 */
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

/**
 * Returns the next string at which the search continues: the least string after `word` that could begin another
 * spelling of `folded`. Returns null if there is none.
 */
function nextTarget(word: string, folded: string, offsets: readonly number[]): string | null {
  for (let at = offsets.length - 1; at >= 0; at--) {
    const letter = nextLetter(folded, offsets[at]!, word[at] ?? '');
    if (letter !== null) return word.slice(0, at) + letter;
  }
  return null;
}
