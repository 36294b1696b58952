/**
 * A wrapper around a searcher that adds suggestions and spelling corrections.
 *
 * A query without results is answered with the results of the corrected query, and the response says so
 * (`spelling.automatic`); `asTyped` turns this off. A query with results is answered as typed, and the
 * response offers the correction if that has different results.
 */
import { type Directory, GyreError, type Log, systemClock } from '../../base/mod.ts';
import type { ScoreBreakdown } from '../../scoring/mod.ts';
import type { CanonicalUrl } from '../../url/mod.ts';
import type {
  Arrival,
  IndexStats,
  Searcher,
  SearchRequest,
  SearchResponse,
  Suggestion,
} from '../searcher.ts';
import { correctQuery } from './spelling/mod.ts';
import { type PopularQueries, unspacedKey } from './suggest/mod.ts';
import { WordsFollower } from './words-follower.ts';

/** A searcher that can switch to the newest index. */
export interface RefreshingSearcher extends Searcher {
  refresh(): unknown;
}

export class AssistedSearcher implements RefreshingSearcher {
  readonly #inner: RefreshingSearcher;
  readonly #words: WordsFollower;
  readonly #popular: PopularQueries | null;

  /** Takes ownership of `inner`. Queries are counted only if `popular` is given; its owner saves it. */
  constructor(inner: RefreshingSearcher, words: Directory, log: Log, popular: PopularQueries | null = null) {
    this.#inner = inner;
    this.#words = new WordsFollower(words, log);
    this.#popular = popular;
  }

  refresh(): void {
    this.#inner.refresh();
    this.#words.refresh();
  }

  async search(request: SearchRequest): Promise<SearchResponse> {
    const arrivedAt = request.arrivedAt ?? systemClock.now();
    const response = await this.#inner.search({ ...request, arrivedAt });
    if (request.asTyped || response.partial) return response;
    const isFirst = request.offset === 0 && request.cursor === undefined;
    if (!isFirst && response.total > 0) return response;
    if (response.total > 0) this.note(request.query);
    const query = this.#correct(request.query);
    if (query === null) return response;
    const corrected = await this.#searchIfTime({ ...request, arrivedAt, query });
    if (!corrected || corrected.total === 0 || haveSameResults(response, corrected)) return response;
    if (response.total > 0) return { ...response, spelling: { query, automatic: false } };
    const tookMs = response.tookMs + corrected.tookMs;
    return { ...corrected, tookMs, spelling: { query, automatic: true } };
  }

  /** Returns null if no time is left; the original query has a response already. */
  async #searchIfTime(request: SearchRequest): Promise<SearchResponse | null> {
    try {
      return await this.#inner.search(request);
    } catch (error) {
      if (error instanceof GyreError && error.code === 'overloaded') return null;
      throw error;
    }
  }

  note(query: string): void {
    this.#popular?.note(query);
  }

  async suggest(prefix: string, limit: number): Promise<Suggestion[]> {
    const popular = this.#popular?.suggest(prefix, Math.ceil(limit / 2)) ?? [];
    const phrases = this.#words.suggester()?.suggest(prefix, limit) ?? [];
    const asked = new Set(popular.map(unspacedKey));
    const others = phrases.filter(({ text }) => !asked.has(unspacedKey(text)));
    return [...popular.map((text) => ({ text })), ...others].slice(0, limit);
  }

  async explain(query: string, url: CanonicalUrl, arrival?: Arrival): Promise<ScoreBreakdown | null> {
    return (await this.#inner.explain?.(query, url, arrival)) ?? null;
  }

  stats(): IndexStats {
    return this.#inner.stats();
  }

  close(): void {
    this.#inner.close();
  }

  #correct(query: string): string | null {
    const corrector = this.#words.corrector();
    return corrector && correctQuery(query, corrector);
  }
}

function haveSameResults(one: SearchResponse, other: SearchResponse): boolean {
  return one.total === other.total && one.results.every(({ url }, at) => url === other.results[at]?.url);
}
