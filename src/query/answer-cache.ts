/**
 * Answers that were given lately.
 *
 * An answer is known by everything it depends on: the generation of the index and of the link graph, the ranking,
 * and the request with the query as it was understood, so that `HTTP  client` and `HTTP client` share one, and with what
 * there was to say about it: of `(((` and `"` nothing is left, but not for the same reason. Answers of
 * an older index are forgotten at once; of the others the least recently used leave first when the limit is reached.
 */
import { type CacheStats, VersionedCache } from '../base/mod.ts';
import type { ParsedQuery } from './parse.ts';
import type { SearchRequest, SearchResponse, SearchResult } from './searcher.ts';

/** Of an entry besides its text: the map's slot, the objects. */
const ENTRY_BYTES = 500;
const BYTES_PER_RESULT = 300;
const BYTES_PER_HIGHLIGHT = 32;

export class AnswerCache {
  readonly #cache: VersionedCache<SearchResponse>;

  /** About how much memory answers may take; 0 keeps none. */
  constructor(limitBytes: number) {
    this.#cache = new VersionedCache(limitBytes);
  }

  get isOn(): boolean {
    return this.#cache.isOn;
  }

  get stats(): CacheStats {
    return this.#cache.stats;
  }

  /** The answer under `key` from the index of this version, or null. */
  find(version: string, key: string): SearchResponse | null {
    return this.#cache.find(version, key);
  }

  /** One that was cut short is not kept: the next may be whole. */
  keep(version: string, key: string, answer: SearchResponse): void {
    if (!answer.partial) this.#cache.keep(version, key, answer, sizeOf(key, answer));
  }
}

/** `understood` is the query after parsing, `profile` names the ranking. */
export function cacheKey(
  request: SearchRequest,
  understood: Pick<ParsedQuery, 'text' | 'notes'>,
  profile: string,
): string {
  return JSON.stringify([profile, { ...request, query: understood.text }, understood.notes]);
}

/** Strings of other than Western letters take two bytes a letter: all are counted so. */
function sizeOf(key: string, { query, notes, cursor = '', results }: SearchResponse): number {
  const texts = [key, query, cursor, ...notes, ...results.flatMap(textsOf)];
  const letters = texts.reduce((sum, text) => sum + text.length, 0);
  const places = results.reduce((sum, { highlights }) => sum + highlights.length, 0);
  return ENTRY_BYTES + BYTES_PER_RESULT * results.length + BYTES_PER_HIGHLIGHT * places + 2 * letters;
}

function textsOf({ url, title, snippet, host, similar = [], moreFromSite }: SearchResult): string[] {
  return [url, title, snippet, host, ...similar, moreFromSite?.query ?? ''];
}
