/**
 * Gathers phrases on their way to the file: titles, headings and anchor texts, the same phrase from many places once,
 * with the sum of its weights. When there are too many, the lighter half is forgotten.
 */
import { keyOf, MAX_PHRASE_LENGTH, type Phrase } from './phrases-format.ts';

const MIN_KEY_LENGTH = 3;
/** What stands between the name of a page and that of its site. */
const SEPARATOR = /\s+[|·•»–—-]+\s+|\s*::\s*/;

/** A title without the name of the site that follows it. */
export function nameOf(title: string): string {
  return title.split(SEPARATOR, 1)[0]!;
}

interface Gathered {
  text: string;
  url: string;
  weight: number;
  /** More than one address has it as its title. */
  isShared: boolean;
}

export class PhraseGatherer {
  readonly #limit: number;
  #phrases = new Map<string, Gathered>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** A title as it stands and, where it ends in the name of the site, without that. */
  addTitle(title: string, url: string, weight: number): void {
    this.#add(title, url, weight);
    const name = nameOf(title);
    if (name !== title) this.#add(name, url, weight);
  }

  /** What stands on a page, or in a link, without being its title. */
  addText(text: string, weight: number): void {
    this.#add(text, '', weight);
  }

  /** By key. A long phrase is less likely to be the one that is being typed. */
  finish(): Map<string, Phrase> {
    if (this.#phrases.size > this.#limit) this.#forget(this.#limit);
    const finished = new Map<string, Phrase>();
    for (const [key, { text, url, weight, isShared }] of this.#phrases) {
      finished.set(key, {
        text,
        url: isShared ? '' : url,
        weight: Math.log1p(weight) / (1 + key.length / 40),
      });
    }
    return finished;
  }

  #add(raw: string, url: string, weight: number): void {
    const text = raw.replace(/\s+/g, ' ').trim();
    if (text.length > MAX_PHRASE_LENGTH) return;
    const key = keyOf(text).trimEnd();
    if (key.length < MIN_KEY_LENGTH || !/\p{L}/u.test(key)) return;
    const known = this.#phrases.get(key);
    if (!known) {
      this.#phrases.set(key, { text, url, weight, isShared: false });
      if (this.#phrases.size > 2 * this.#limit) this.#forget(this.#limit);
      return;
    }
    known.weight += weight;
    if (known.url === '') known.url = url;
    else if (url !== '' && url !== known.url) known.isShared = true;
  }

  #forget(keep: number): void {
    const best = [...this.#phrases].sort(([, a], [, b]) => b.weight - a.weight).slice(0, keep);
    this.#phrases = new Map(best);
  }
}
