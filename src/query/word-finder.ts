/** Where the words of a query stand in any text: for marking them in a whole page, as a snippet does in a piece. */
import { fold, stemmingOf, termOf, tokenize } from '../text/mod.ts';
import { parseQuery } from './parse.ts';

/**
 * In any of their forms, by the rules of the text's own language, with accents or without. The stretches are [start, end) in UTF-16 units, ascending; those that touch, as in scripts without
 * spaces, are one.
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
