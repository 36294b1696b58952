import { foldText } from './anchor-votes.ts';

const MAX_REMEMBERED = 100_000;

/**
 * The anchor texts that the current host has already used for each document. A repeated text is not stored,
 * because most links of a site are on many of its pages.
 */
export class NewTexts {
  readonly #said = new Map<number, Set<string>>();
  #host = -1;

  /** Returns true if the text is new. The pages of a host come one after the other. */
  add(node: number, host: number, text: string): boolean {
    if (host !== this.#host || this.#said.size > MAX_REMEMBERED) this.#said.clear();
    this.#host = host;
    const folded = foldText(text);
    const texts = this.#said.get(node);
    if (texts?.has(folded)) return false;
    if (texts) texts.add(folded);
    else this.#said.set(node, new Set([folded]));
    return true;
  }
}
