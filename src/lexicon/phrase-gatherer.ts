/**
 * Collects phrases for the file of phrases: titles, headings and anchor texts. A phrase from several places is stored
 * once, with the sum of its weights. When there are more phrases than twice the limit, the heaviest phrases up to the
 * limit are kept.
 */
import { keyOf, MAX_PHRASE_LENGTH, type Phrase } from './phrases-format.ts';

const MIN_KEY_LENGTH = 3;
/** Separators between the name of a page and the name of its site. */
const SEPARATOR = /\s+(?:[|·•»–—-]+|::)\s+/;
/** Signs around a text that are not part of it: `» Guides`, `Usage¶`. */
const EDGES = /^[^\p{L}\p{N}([.$@_#'"“«¿¡]+|[^\p{L}\p{N})\].!?+#%*'"”»]+$/gu;
/** Code, names of files and notes in an index are not phrases: `debug()`, `a = b`, `index.html`, `(class in os)`. */
const CODE = /\w\(|[{}=;]|::|->|\.html?$|^\(.*\)$/i;

/** Returns the title without the site name that follows it. */
export function phraseKeyOf(title: string): string {
  return title.split(SEPARATOR, 1)[0]!;
}

interface Gathered {
  text: string;
  url: string;
  weight: number;
  /** True if several URLs have this phrase as their title. */
  isShared: boolean;
}

export class PhraseGatherer {
  readonly #limit: number;
  #phrases = new Map<string, Gathered>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Adds the title and, if it ends with a site name, also the title without it. */
  addTitle(title: string, url: string, weight: number): void {
    this.#add(title, url, weight);
    const name = phraseKeyOf(title);
    if (name !== title) this.#add(name, url, weight);
  }

  /** Adds a heading or an anchor text, which is not the title of a page, unless it is code. */
  addText(text: string, weight: number): void {
    if (!CODE.test(text)) this.#add(text, '', weight);
  }

  /**
   * Returns the phrases by key. The weight of long phrases is reduced, because they are less likely to be
   * typed.
   */
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
    const text = raw.replace(/\s+/g, ' ').replace(EDGES, '');
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
