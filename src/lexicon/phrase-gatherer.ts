/**
 * Collects the anchor texts of all pages, for the file of suggested phrases. A text that several pages have is
 * stored once, with the sum of its weights. When there are more than twice as many phrases as the limit allows,
 * only the most popular ones are kept, up to the limit.
 */
import { phraseOfText } from './phrase-rules.ts';
import type { LinkedPhrase } from './phrases-format.ts';

export class PhraseGatherer {
  readonly #limit: number;
  #phrases = new Map<string, LinkedPhrase>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(linked: string, weight: number): void {
    const phrase = phraseOfText(linked);
    if (!phrase) return;
    this.#count(phrase.key, phrase.text, weight);
  }

  /** Adds phrases that another gatherer has collected. */
  addPhrases(phrases: ReadonlyMap<string, LinkedPhrase>): void {
    for (const [key, { text, popularity }] of phrases) this.#count(key, text, popularity);
  }

  #count(key: string, text: string, weight: number): void {
    const known = this.#phrases.get(key);
    if (known) known.popularity += weight;
    else this.#phrases.set(key, { text, popularity: weight });
    if (this.#phrases.size > 2 * this.#limit) this.#forget();
  }

  /** Returns the collected phrases. The key of a phrase is the folded form of its text. */
  finish(): ReadonlyMap<string, LinkedPhrase> {
    if (this.#phrases.size > this.#limit) this.#forget();
    return this.#phrases;
  }

  #forget(): void {
    const best = [...this.#phrases].sort(([, a], [, b]) => b.popularity - a.popularity);
    this.#phrases = new Map(best.slice(0, this.#limit));
  }
}
