/**
 * The end of a phrase in a script without spaces.
 *
 *   "2024年"   ->  2024 年,  2024 年度,  2024 年間 …
 *
 * Such scripts are indexed by pairs of characters (see tokenize.ts), so a character that stands alone in the query, behind
 * a word of another script, is in most texts the first half of a pair. The pairs of the index that begin with it are
 * looked for as well; they only widen what matches, and documents are ranked by what was typed.
 *
 * A character alone at the beginning (`"度2024"`) would be the second half of a pair. The dictionary cannot be asked for
 * endings, so it is found only where it stands alone.
 */
import { isHalfPair } from '../text/mod.ts';
import { beginningWith, type PhraseTerm } from './condition.ts';
import type { QueryLookups } from './lookups.ts';

/** The most common pairs that the last character of a phrase stands for. */
export const MAX_ENDINGS = 512;

export interface Endings {
  /** What may stand in place of the last word. */
  endings: readonly string[];
  /** What the searcher should know. */
  note?: string;
}

/** None for a single word: it is meant as it is. */
export function endingsOf(words: readonly string[], lookups: QueryLookups): Endings {
  const last = words.at(-1);
  if (last === undefined || words.length < 2 || !isHalfPair(last)) return { endings: [] };
  const found = lookups.wordsBeginning(last, MAX_ENDINGS + 2).filter((word) => word !== last);
  const endings = found.slice(0, MAX_ENDINGS);
  if (found.length <= MAX_ENDINGS) return { endings };
  return { endings, note: `${last} begins many pairs; only the ${MAX_ENDINGS} most common are used.` };
}

/** The phrase, with these for its last word too. */
export function endingIn(phrase: readonly PhraseTerm[], endings: readonly string[]): readonly PhraseTerm[] {
  const last = phrase.at(-1);
  if (last === undefined || endings.length === 0) return phrase;
  return [...phrase.slice(0, -1), { ...beginningWith(last.term, last.term), others: endings }];
}
