/** Splits a text of a query into words, with the same tokenizer as for documents. */
import { tokenize } from '../../text/mod.ts';

export function termsOf(text: string): string[] {
  const terms: string[] = [];
  tokenize(text, (term) => terms.push(term));
  return terms;
}
