/** `inanchor:`: what links say is not in the index, so their texts are read term by term when they are asked for. */
import { type Stemming, termOf, tokenize } from '../text/mod.ts';

/** Whether one of the texts, read by this stemming, has the terms side by side. */
export function hasTermsTogether(
  texts: readonly string[],
  terms: readonly string[],
  stemming: Stemming,
): boolean {
  return texts.some((text) => {
    const found: string[] = [];
    tokenize(text, (word) => found.push(termOf(word, stemming)));
    return found.some((_, from) => terms.every((term, i) => found[from + i] === term));
  });
}
