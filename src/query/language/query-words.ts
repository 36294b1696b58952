/** Splits a part of a query into words with the tokenizer of `text/`. */
import { tokenize } from '../../text/mod.ts';

export function termsOf(text: string): string[] {
  const terms: string[] = [];
  tokenize(text, (term) => terms.push(term));
  return terms;
}
