/** `inanchor:`: what links say is not in the index, so their texts are read term by term when they are asked for. */
import { tokenize } from '../text/mod.ts';

/** Whether one of the texts has the terms side by side. */
export function hasTermsTogether(texts: readonly string[], terms: readonly string[]): boolean {
  return texts.some((text) => {
    const found: string[] = [];
    tokenize(text, (term) => found.push(term));
    return found.some((_, from) => terms.every((term, i) => found[from + i] === term));
  });
}
