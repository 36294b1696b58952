/**
 * A cache of recent search responses.
 *
 * The key contains everything that a response depends on: the generations of the index and of the link graph, the
 * ranking profile and the request. `HTTP  client` and `HTTP client` have the same key. The query is not parsed for
 * the key, because reading a cached response must cost less than parsing.
 *
 * Responses from an older index are removed when the version changes. When the cache is full, the least recently
 * used responses are removed first.
 */
import { type CacheStats, VersionedCache } from '../base/mod.ts';
import type { SearchRequest, SearchResponse, SearchResult } from './searcher.ts';

/** The estimated size of a cache entry without its text, in bytes: the map slot and the objects. */
const ENTRY_BYTES = 500;
const BYTES_PER_RESULT = 300;
const BYTES_PER_HIGHLIGHT = 32;

export class AnswerCache {
  readonly #cache: VersionedCache<SearchResponse>;

  /** `limitBytes` is the approximate memory limit of the cache; 0 turns the cache off. */
  constructor(limitBytes: number) {
    this.#cache = new VersionedCache(limitBytes);
  }

  get isOn(): boolean {
    return this.#cache.isOn;
  }

  get stats(): CacheStats {
    return this.#cache.stats;
  }

  /** Returns the response with this key for this version of the index, or null. */
  find(version: string, key: string): SearchResponse | null {
    return this.#cache.find(version, key);
  }

  /**
   * Stores a complete response; a partial one is not stored, because the next one may be complete. Stores a copy: a
   * snippet is a slice of the text of its document, and V8 keeps the whole text in memory while a slice of it
   * exists.
   */
  keep(version: string, key: string, answer: SearchResponse): void {
    if (!answer.partial && this.isOn)
      this.#cache.keep(version, key, structuredClone(answer), sizeOf(key, answer));
  }
}

/** Returns the cache key of a request. `profile` is the name of the ranking profile. */
export function cacheKey(request: SearchRequest, profile: string): string {
  const query = request.query.trim().replace(/\s+/g, ' ');
  return JSON.stringify([profile, { ...request, query, arrivedAt: undefined, isCancelled: undefined }]);
}

/**
 * Returns the estimated size of a cache entry in bytes. Counts two bytes per character, although V8 stores
 * strings of Latin-1 characters with one byte per character.
 */
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
