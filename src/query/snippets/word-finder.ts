/** Finds the words of a query in any text, for highlighting them in a whole page. */
import { fold, stemmingOf, termOf, tokenize } from '../../text/mod.ts';
import { parseQuery } from '../language/mod.ts';

/**
 * Returns a function that finds the words in any of their forms, by the rules of the text's own language,
 * with or without accents. The ranges are [start, end) in UTF-16 units, ascending; overlapping ranges, as in
 * scripts without spaces, are merged.
 */
export function wordFinder(query: string, language: string): (text: string) => [number, number][] {
  const stemming = stemmingOf(language);
  const { words } = parseQuery(query);
  const terms = new Set(words.map((word) => termOf(word, stemming)));
  const spellings = new Set(words.map(fold));
  if (terms.size === 0) return () => [];
  return (text) => {
    const found: [number, number][] = [];
    tokenize(text, (word, start, end) => {
      if (!terms.has(termOf(word, stemming)) && !spellings.has(fold(word))) return;
      const last = found.at(-1);
      if (last && start < last[1]) last[1] = Math.max(last[1], end);
      else found.push([start, end]);
    });
    return found;
  };
}
