/**
 * Pages of results that were rendered lately, as bytes. Most of what a popular query costs is then to send it.
 *
 * A page is known by all that it shows: the query with its filters, the language, and what the searcher prefers. It is
 * given again as long as the index is the same, and no longer than half a minute: its footer tells how the crawl
 * stands, and a filter such as "past day" moves with the clock.
 */
import { type Clock, VersionedCache } from '../base/mod.ts';
import { NO_PREFERENCES } from './preferences.ts';
import { type SearchState, searchAddress } from './search-state.ts';
import { indexStats, type Site } from './site.ts';
import type { View } from './view.ts';

export interface RenderedPage {
  bytes: Buffer;
  /** The query that counts as asked once more whenever the page is given again; null if it did not the first time. */
  counted: string | null;
}

const MAX_AGE_MS = 30_000;
/** Of an entry besides its page. */
const ENTRY_BYTES = 400;

export class PageCache {
  readonly #cache: VersionedCache<RenderedPage & { renderedAt: number }>;
  readonly #clock: Clock;

  /** `limitBytes` 0 keeps none. */
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

/** What the pages of now are made of; while the searcher cannot tell, of nothing that lasts. */
export function pagesVersion(site: Site): string {
  return String(indexStats(site)?.generation ?? '');
}

export function pageKey({ words, preferences }: View, state: SearchState): string {
  const preferred = preferences === NO_PREFERENCES ? '' : JSON.stringify(preferences);
  return `${words.tag} ${searchAddress(state, { page: state.page })} ${preferred}`;
}
