/**
 * Expands the last character of a phrase in a script without spaces.
 *
 *   "2024年"   ->  2024 年,  2024 年度,  2024 年間 …
 *
 * Such scripts are indexed by pairs of characters (see tokenize.ts). A single character in the query after a
 * word of another script is therefore, in most texts, the first half of a pair. The pairs of the index that
 * begin with it are searched as well. They only widen the set of matches; documents are ranked by the typed
 * words.
 *
 * A single character at the beginning (`"度2024"`) would be the second half of a pair. The dictionary cannot
 * be searched by endings, so such a character matches only where it is indexed as a single character.
 */
import { isHalfPair } from '../../text/mod.ts';
import { beginningWith, type PhraseTerm } from './condition.ts';
import type { ExpansionBudget } from './expansion-budget.ts';
import type { QueryNote } from './query-note.ts';

/**
 * The last character expands to at most this many pairs, the most common ones, or to fewer if the budget is smaller.
 */
export const MAX_ENDINGS = 512;

interface Endings {
  /** Words that may replace the last word. */
  endings: readonly string[];
  /** A message for the visitor. */
  note?: QueryNote;
}

/** Returns no endings for a single word: it is searched as typed. */
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

/** Returns the phrase with `endings` as further options for its last word. */
export function endingIn(phrase: readonly PhraseTerm[], endings: readonly string[]): readonly PhraseTerm[] {
  const last = phrase.at(-1);
  if (last === undefined || endings.length === 0) return phrase;
  return [...phrase.slice(0, -1), { ...beginningWith(last.term, last.term), others: endings }];
}
