/**
 * Suggests completions of a typed prefix: first phrases of the index that begin with it, then phrases that
 * begin with it except for one typing error. Within each group the phrase with the greatest weight comes
 * first.
 *
 * Works in memory, without waiting and without disk access; bench/suggest measures it with a million phrases.
 */
import { keyOf, type PhraseTable } from '../../../lexicon/mod.ts';
import type { Suggestion } from '../../searcher.ts';
import { BestPhrases, type Found } from './best-phrases.ts';
import { descend, nearRanges, rootOf } from './near-ranges.ts';

/**
 * Typing errors are considered only in prefixes of at least this length: a shorter prefix with an error usually looks
 * like the beginning of another word.
 */
const MIN_TYPED_FOR_ERRORS = 4;
/** The number of phrases that are read for each suggestion to show, because phrases of the same page are shown once. */
const ROOM = 2;
/** Longer input is cut; suggestions for it are not useful. */
const MAX_TYPED_LENGTH = 80;

/** Returns the same key for texts that differ only in spaces and punctuation: `HTTP/2` and `HTTP2`. */
export function unspacedKey(text: string): string {
  return keyOf(text).replaceAll(' ', '');
}

export class Suggester {
  readonly #table: PhraseTable;
  readonly #best: BestPhrases;

  constructor(table: PhraseTable) {
    this.#table = table;
    this.#best = new BestPhrases(table.weights);
  }

  suggest(typed: string, limit: number): Suggestion[] {
    const key = Buffer.from(keyOf(typed.slice(0, MAX_TYPED_LENGTH)));
    if (key.length === 0) return [];
    const found = this.#exact(key, ROOM * limit);
    if (found.length < limit && key.length >= MIN_TYPED_FOR_ERRORS)
      found.push(...this.#near(key, limit, found));
    return this.#shown(found).slice(0, limit);
  }

  /**
   * Lists each page once, although the table may have its title both with and without the site name. Also lists each
   * spelling once.
   */
  #shown(found: readonly Found[]): Suggestion[] {
    const seen = new Set<string>();
    return found.flatMap(({ at }) => {
      const { text, url } = this.#table.phrase(at);
      const spelling = unspacedKey(text);
      if (seen.has(spelling) || (url !== '' && seen.has(url))) return [];
      seen.add(spelling).add(url);
      return [url === '' ? { text } : { text, url }];
    });
  }

  #exact(key: Buffer, limit: number): Found[] {
    const found: Found[] = [];
    const node = descend(this.#table, rootOf(this.#table), key);
    if (node) this.#best.collect(node.low, node.high, limit, found);
    return found;
  }

  /** Ranges may overlap, so each phrase is taken once. */
  #near(key: Buffer, limit: number, exact: readonly Found[]): Found[] {
    const taken = new Set(exact.map(({ at }) => at));
    const best: Found[] = [];
    for (const { low, high } of nearRanges(this.#table, key)) {
      const found: Found[] = [];
      this.#best.collect(low, high, limit + taken.size, found);
      for (const each of found.filter(({ at }) => !taken.has(at)).slice(0, limit)) {
        taken.add(each.at);
        best.push(each);
      }
    }
    return best.sort((a, b) => b.weight - a.weight || a.at - b.at);
  }
}
