/**
 * Caches recently rendered pages of results as bytes. A repeated query then costs little more than sending
 * the page.
 *
 * The key contains everything that the page depends on: the query with its filters, the languages of the UI and of
 * the searcher, and the searcher's preferences. An entry is valid while the index generation is the same, and for
 * at most half a minute, because the footer shows the state of the crawl and filters such as "past day" depend on
 * the clock.
 */
import { type Clock, VersionedCache } from '../../base/mod.ts';
import { NO_PREFERENCES } from '../preferences/mod.ts';
import type { View } from '../request-context.ts';
import { indexStats, type ServerContext } from '../server-context.ts';
import { type SearchState, searchAddress } from './search-state.ts';

interface RenderedPage {
  bytes: Buffer;
  /**
   * The query to add to the counts of popular queries each time the page is served; null if it is not
   * counted.
   */
  counted: string | null;
}

const MAX_AGE_MS = 30_000;
/** The approximate memory of a cache entry in addition to its page. */
const ENTRY_BYTES = 400;

export class PageCache {
  readonly #cache: VersionedCache<RenderedPage & { renderedAt: number }>;
  readonly #clock: Clock;

  /** A `limitBytes` of 0 disables the cache. */
  constructor(limitBytes: number, clock: Clock) {
    this.#cache = new VersionedCache(limitBytes);
    this.#clock = clock;
  }

  find(version: string, key: string): RenderedPage | null {
    const page = this.#cache.find(version, key);
    return page && this.#clock.now() - page.renderedAt < MAX_AGE_MS ? page : null;
  }

  keep(version: string, key: string, page: RenderedPage): void {
    const kept = { ...page, renderedAt: this.#clock.now() };
    this.#cache.keep(version, key, kept, ENTRY_BYTES + page.bytes.length + 2 * key.length);
  }
}

/**
 * Returns the index generation as the version of cached pages; the empty string while the searcher is not
 * open.
 */
export function pagesVersion(site: ServerContext): string {
  return String(indexStats(site)?.generation ?? '');
}

export function pageKey({ words, language, preferences }: View, state: SearchState): string {
  const preferred = preferences === NO_PREFERENCES ? '' : JSON.stringify(preferences);
  return `${words.tag} ${language} ${searchAddress(state, { page: state.page })} ${preferred}`;
}
