/** Where the words of a query stand in any text: for marking them in a whole page, as a snippet does in a piece. */
import { tokenize } from '../text/mod.ts';
import { parseQuery } from './parse.ts';

/** The stretches are [start, end) in UTF-16 units, ascending; those that touch, as in scripts without spaces, are one. */
export function wordFinder(query: string): (text: string) => [number, number][] {
  const words = new Set(parseQuery(query).words);
  if (words.size === 0) return () => [];
  return (text) => {
    const found: [number, number][] = [];
    tokenize(text, (term, start, end) => {
      if (!words.has(term)) return;
      const last = found.at(-1);
      if (last && start < last[1]) last[1] = Math.max(last[1], end);
      else found.push([start, end]);
    });
    return found;
  };
}
