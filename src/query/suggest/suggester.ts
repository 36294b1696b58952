/**
 * What to suggest for the beginning of a query: phrases of the index that begin as typed, then those that begin nearly
 * so; of each the weightiest first.
 *
 * Nothing is waited for and nothing is read from disk; bench/suggest measures a million phrases.
 */
import { keyOf, type PhraseTable } from '../../words/mod.ts';
import type { Suggestion } from '../searcher.ts';
import { BestPhrases, type Found } from './best-phrases.ts';
import { descend, nearRanges, rootOf } from './near-ranges.ts';

/** A shorter beginning is too little to tell an error from another word. */
const MIN_TYPED_FOR_ERRORS = 4;
/** How many times as many phrases are looked at as are shown, as some lead to the same page. */
const ROOM = 2;
/** Nobody types further without having decided. */
const MAX_TYPED_LENGTH = 80;

/** What is the same for texts that only their spaces and signs tell apart: `HTTP/2` and `HTTP2`. */
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

  /** A page once: its title may be there with and without the name of its site. A spelling once, too. */
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

  /** Ranges may overlap: a phrase is taken once. */
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
