/**
 * Expands a single last character of a phrase in a script without spaces, such as Chinese.
 *
 *   "2024年"   ->  2024 年,  2024 年度,  2024 年間 …
 *
 * Texts in such scripts are indexed as pairs of characters (see tokenize.ts). If the query has a single character
 * after a word of another script, most texts have that character as the first half of a pair. Therefore the pairs of
 * the index that begin with the character match too. They add matches, but scores depend on the typed words only.
 *
 * A single character at the beginning of a phrase (`"度2024"`) would be the second half of a pair. It is not
 * expanded, because the dictionary cannot be searched by endings; it matches only where a text has it as a single
 * character.
 */
import { isHalfPair } from '../../text/mod.ts';
import { beginningWith, type PhraseTerm } from './condition.ts';
import type { ExpansionBudget } from './expansion-budget.ts';
import type { QueryNote } from './query-note.ts';

/**
 * The maximum number of pairs to which the last character of a phrase expands. The most common pairs are used; there
 * are fewer if the expansion budget of the query is smaller.
 */
export const MAX_ENDINGS = 512;

interface Endings {
  /** Pairs of characters that match at the position of the last word. */
  endings: readonly string[];
  /** A note that tells the visitor that only the most common pairs were used. */
  note?: QueryNote;
}

/** Returns the pairs to which the last word of a phrase expands. A single word is not expanded. */
export function endingsOf(words: readonly string[], budget: ExpansionBudget): Endings {
  const last = words.at(-1);
  if (last === undefined || words.length < 2 || !isHalfPair(last)) return { endings: [] };
  const limit = budget.limitFor(MAX_ENDINGS);
  const found = budget.wordsBeginning(last, limit + 2).filter((word) => word !== last);
  const endings = found.slice(0, limit);
  budget.take(endings.length);
  if (found.length <= limit) return { endings };
  return { endings, note: { code: 'pair-words', values: { text: last, number: limit } } };
}

/** Returns the phrase with `endings` as alternatives of its last word. */
export function endingIn(phrase: readonly PhraseTerm[], endings: readonly string[]): readonly PhraseTerm[] {
  const last = phrase.at(-1);
  if (last === undefined || endings.length === 0) return phrase;
  return [...phrase.slice(0, -1), { ...beginningWith(last.term, last.term), others: endings }];
}
