/**
 * A searcher that helps with typing, around any other: suggestions while it happens, corrections afterwards.
 *
 * A query that finds nothing is answered as it was probably meant, and the answer says so (`spelling.automatic`);
 * `asTyped` is the way back. A query that finds something is answered as it stands, with the correction to offer if that
 * leads to something else.
 */
import type { Directory, Log } from '../base/mod.ts';
import type { ScoreBreakdown } from '../rank/mod.ts';
import type { CanonicalUrl } from '../url/mod.ts';
import type { IndexStats, Searcher, SearchRequest, SearchResponse, Suggestion } from './searcher.ts';
import { correctQuery } from './spelling/correct-query.ts';
import type { PopularQueries } from './suggest/popular-queries.ts';
import { unspacedKey } from './suggest/suggester.ts';
import { WordsFollower } from './words-follower.ts';

/** A searcher that can go over to the newest index. */
export interface RefreshingSearcher extends Searcher {
  refresh(): unknown;
}

export class AssistedSearcher implements RefreshingSearcher {
  readonly #inner: RefreshingSearcher;
  readonly #words: WordsFollower;
  readonly #popular: PopularQueries | null;

  /** Owns `inner` from now on. Queries are counted only where `popular` is given; its owner saves it. */
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
    const response = await this.#inner.search(request);
    if (request.asTyped || response.partial) return response;
    const isFirst = request.offset === 0 && request.cursor === undefined;
    if (!isFirst && response.total > 0) return response;
    if (response.total > 0) this.note(request.query);
    const query = this.#correct(request.query);
    if (query === null) return response;
    const corrected = await this.#inner.search({ ...request, query });
    if (corrected.total === 0 || haveSameResults(response, corrected)) return response;
    if (response.total > 0) return { ...response, spelling: { query, automatic: false } };
    const tookMs = response.tookMs + corrected.tookMs;
    return { ...corrected, tookMs, spelling: { query, automatic: true } };
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

  async explain(query: string, url: CanonicalUrl): Promise<ScoreBreakdown | null> {
    return (await this.#inner.explain?.(query, url)) ?? null;
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
