/** Decides whether the meaning of a query matters, and from which text it is computed. */
import { isInOtherScript } from '../../text/mod.ts';
import type { GlobalStatistics } from './statistics.ts';
import type { TermQuery } from './term-query.ts';

/** Matches an identifier, a file name, a version or a URL. Such a query means exactly what was typed. */
const IDENTIFIER = /[_:#()<>=/\\@]|\p{Ll}\p{Lu}|\w\.\w|\d/u;

/**
 * Returns the text whose meaning counts, or null if only the words of the query count. That is so for a single content
 * word, besides names of sites and words like "documentation"; for an identifier; if all words are quoted or required; and
 * for words in another script than Latin, which the stemmings do not tell from English.
 */
export function meaningTextOf(
  query: TermQuery,
  { isFunction, isGeneric, isSiteName }: Pick<GlobalStatistics, 'isFunction' | 'isGeneric' | 'isSiteName'>,
): string | null {
  const { text, typed, phrases, isPlain, words } = query;
  const telling = words.filter((_, at) => !isFunction[at] && !isGeneric[at] && !isSiteName[at]);
  if (telling.length < 2 || typed.some((forms) => forms.some(isInOtherScript))) return null;
  if (!isPlain) return typed.map((forms) => forms[0]).join(' ');
  const isExact = phrases.length > 0 || (!text.includes(' ') && IDENTIFIER.test(text));
  return isExact ? null : text;
}
