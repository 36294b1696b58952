/** Decides if a query is also searched by its meaning, and which text is embedded for that. */
import { isInOtherScript } from '../../text/mod.ts';
import type { GlobalStatistics } from './statistics.ts';
import type { TermQuery } from './term-query.ts';

/** Matches an identifier, a file name, a version or a URL. Such a query is not searched by its meaning. */
const IDENTIFIER = /[_:#()<>=/\\@]|\p{Ll}\p{Lu}|\w\.\w|\d/u;

/**
 * Returns the text to embed, or null if the query is searched by its words only. It is null if the query has fewer
 * than two content words (names of sites and words like "documentation" do not count); if it is an identifier; if
 * all words are quoted or required; and if a word is in another script than Latin, because its language is not
 * known.
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
