/**
 * A cache of recent search responses.
 *
 * The key holds everything that a response depends on: the generations of the index and of the link graph,
 * the ranking profile and the request. `HTTP  client` and `HTTP client` share one entry. The query is not
 * parsed for the key, because a cached response must cost less than parsing.
 *
 * Responses from an older index are dropped as soon as the version changes. When the cache is full, the least
 * recently used responses are dropped first.
 */
import { type CacheStats, VersionedCache } from '../base/mod.ts';
import type { SearchRequest, SearchResponse, SearchResult } from './searcher.ts';

/** The estimated size of an entry without its text: the map slot and the objects. */
const ENTRY_BYTES = 500;
const BYTES_PER_RESULT = 300;
const BYTES_PER_HIGHLIGHT = 32;

export class AnswerCache {
  readonly #cache: VersionedCache<SearchResponse>;

  /** `limitBytes` is the approximate memory limit; 0 turns the cache off. */
  constructor(limitBytes: number) {
    this.#cache = new VersionedCache(limitBytes);
  }

  get isOn(): boolean {
    return this.#cache.isOn;
  }

  get stats(): CacheStats {
    return this.#cache.stats;
  }

  /** Returns the response stored under `key` for this index version, or null. */
  find(version: string, key: string): SearchResponse | null {
    return this.#cache.find(version, key);
  }

  /**
   * Does not keep a partial response, because the next one may be complete. Keeps a copy of the response: a snippet is
   * a slice of the text of its document, and V8 keeps the whole text in memory while a slice of it exists.
   */
  keep(version: string, key: string, answer: SearchResponse): void {
    if (!answer.partial && this.isOn)
      this.#cache.keep(version, key, structuredClone(answer), sizeOf(key, answer));
  }
}

/** Builds the key; `profile` is the name of the ranking profile. */
export function cacheKey(request: SearchRequest, profile: string): string {
  const query = request.query.trim().replace(/\s+/g, ' ');
  return JSON.stringify([profile, { ...request, query, arrivedAt: undefined, isCancelled: undefined }]);
}

/** Counts two bytes per character for all strings, although strings of Latin characters need only one. */
function sizeOf(key: string, { query, notes, cursor = '', results }: SearchResponse): number {
  const texts = [key, query, cursor, ...notes.map(textOfNote), ...results.flatMap(textsOf)];
  const letters = texts.reduce((sum, text) => sum + text.length, 0);
  const places = results.reduce((sum, { highlights }) => sum + highlights.length, 0);
  return ENTRY_BYTES + BYTES_PER_RESULT * results.length + BYTES_PER_HIGHLIGHT * places + 2 * letters;
}

function textsOf({ url, title, snippet, host, similar = [], moreFromSite }: SearchResult): string[] {
  return [url, title, snippet, host, ...similar, moreFromSite?.query ?? ''];
}

function textOfNote({ values }: SearchResponse['notes'][number]): string {
  return 'text' in values ? values.text : '';
}
