/** The words of a piece of a query, as `text/` reads them. */
import { tokenize } from '../text/mod.ts';

export function termsOf(text: string): string[] {
  const terms: string[] = [];
  tokenize(text, (term) => terms.push(term));
  return terms;
}
