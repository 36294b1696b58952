/** Where the words of a query stand in any text: for marking them in a whole page, as a snippet does in a piece. */
import { DEFAULT_STEMMING, termOf, tokenize } from '../text/mod.ts';
import { parseQuery } from './parse.ts';

/** In any of their forms. The stretches are [start, end) in UTF-16 units, ascending; those that touch, as in scripts without spaces, are one. */
export function wordFinder(query: string): (text: string) => [number, number][] {
  const terms = new Set(parseQuery(query).words.map((word) => termOf(word, DEFAULT_STEMMING)));
  if (terms.size === 0) return () => [];
  return (text) => {
    const found: [number, number][] = [];
    tokenize(text, (word, start, end) => {
      if (!terms.has(termOf(word, DEFAULT_STEMMING))) return;
      const last = found.at(-1);
      if (last && start < last[1]) last[1] = Math.max(last[1], end);
      else found.push([start, end]);
    });
    return found;
  };
}
