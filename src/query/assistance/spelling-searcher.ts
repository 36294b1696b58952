/**
 * Wraps a searcher and adds suggestions and spelling corrections.
 *
 * If a query has no results, or was almost certainly misspelled (judge-correction.ts), the response has the results
 * of the corrected query, and `spelling.automatic` is true. The option `asTyped` turns this off. For other queries
 * the response has the results of the typed query, and offers a correction if that has better results.
 */
import { type Directory, GyreError, type Log, systemClock } from '../../base/mod.ts';
import { openPhrases, type PhraseTable, WordPairs } from '../../lexicon/mod.ts';
import type { ScoreBreakdown } from '../../scoring/mod.ts';
import { hasExplicitWord } from '../../text/mod.ts';
import type { CanonicalUrl } from '../../url/mod.ts';
import type {
  Arrival,
  ExplainOptions,
  IndexStats,
  Searcher,
  SearchRequest,
  SearchResponse,
  Suggestion,
} from '../searcher.ts';
import { FollowedIndexes, type FollowedPhrases, followPhrases } from './lexicon-follower.ts';
import { QueryCorrector } from './query-corrector.ts';
import { ReloadingFile } from './reloading-file.ts';
import { type Correction, isBetter, isMuchBetter, mayBeMisspelled } from './spelling/mod.ts';
import { type PopularQueries, Suggester, suggestNextWords, unspacedKey } from './suggest/mod.ts';

/** A searcher that can switch to the newest index. */
export interface RefreshingSearcher extends Searcher {
  refresh(): unknown;
  /**
   * Corrects the misspelled words of a query; null if there are none. The method is absent if the searcher has no
   * words to correct with.
   */
  correct?(query: string, arrival?: Arrival): Promise<Correction | null>;
}

interface AssistanceDirectories {
  /** The directory of the index, or the directories of its shards. The segments have lexicons. */
  index: Directory | readonly Directory[];
  /** The directory of the phrases from anchor texts. */
  words: Directory;
}

export class AssistedSearcher implements RefreshingSearcher {
  readonly #inner: RefreshingSearcher;
  readonly #lexicons: FollowedIndexes<FollowedPhrases>;
  /** Phrases from anchor texts, for suggestions. */
  readonly #linked: ReloadingFile<PhraseTable>;
  #suggester = new Suggester([]);
  #pairs = new WordPairs([]);
  /** Corrects queries; null if the wrapped searcher corrects them itself. */
  readonly #corrector: QueryCorrector | null;
  readonly #popular: PopularQueries | null;

  /** Wraps `inner`, and closes it on `close`. If `popular` is given, queries are counted in it; the caller saves it. */
  constructor(
    inner: RefreshingSearcher,
    { index, words }: AssistanceDirectories,
    log: Log,
    popular: PopularQueries | null = null,
  ) {
    this.#inner = inner;
    this.#lexicons = FollowedIndexes.of(index, (one) => followPhrases(one, log));
    this.#linked = new ReloadingFile(words, 'phrases', log, () => openPhrases(words));
    this.#refreshPhrases();
    this.#corrector = inner.correct ? null : new QueryCorrector(index, log);
    this.#popular = popular;
  }

  refresh(): void {
    this.#inner.refresh();
    this.#refreshPhrases();
    this.#corrector?.refresh();
  }

  #refreshPhrases(): void {
    const changes = [this.#lexicons.refresh(), this.#linked.refresh()];
    if (!changes.includes(true)) return;
    const followed = this.#lexicons.current;
    const linked = this.#linked.current;
    this.#suggester = new Suggester([...followed.map(({ phrases }) => phrases), ...(linked ? [linked] : [])]);
    this.#pairs = new WordPairs(followed.map(({ lexicon }) => lexicon.words));
  }

  async search(request: SearchRequest): Promise<SearchResponse> {
    const timed = { ...request, arrivedAt: request.arrivedAt ?? systemClock.now() };
    if (request.asTyped) return this.#inner.search(timed);
    const isFirst = request.offset === 0 && request.cursor === undefined;
    if (!isFirst) return this.#laterPage(timed);
    const response = await this.#firstPage(timed);
    const isCounted = response.total > 0 && !response.partial && !response.spelling?.automatic;
    if (isCounted) this.note(request.query);
    return response;
  }

  async #firstPage(request: SearchRequest): Promise<SearchResponse> {
    const typed = await this.#inner.search(request);
    if (typed.partial) return typed;
    const isCertain = typed.evidence && !mayBeMisspelled(typed.evidence);
    const correction = isCertain ? null : await this.#correct(request);
    if (!correction) return typed;
    const { query } = correction;
    const corrected = await ifTime(() => this.#inner.search({ ...request, query }));
    if (!corrected || corrected.total === 0 || haveSameResults(typed, corrected)) return typed;
    if (isMeant(correction, typed, corrected))
      return {
        ...corrected,
        tookMs: typed.tookMs + corrected.tookMs,
        spelling: { query, automatic: true },
      };
    const isOffered = !typed.evidence || !corrected.evidence || isBetter(typed.evidence, corrected.evidence);
    return isOffered ? { ...typed, spelling: { query, automatic: false } } : typed;
  }

  /**
   * Returns a later page of results. It has results of the corrected query if the first page was corrected
   * automatically. To find out, this searches for the first page again, which is usually cached.
   */
  async #laterPage(request: SearchRequest): Promise<SearchResponse> {
    const correction = await this.#correct(request);
    if (!correction) return this.#inner.search(request);
    const { cursor: _, ...rest } = request;
    const first = await this.#firstPage({ ...rest, offset: 0 });
    if (!first.spelling?.automatic) return this.#inner.search(request);
    const { spelling } = first;
    const response = await this.#inner.search({ ...request, query: spelling.query });
    return { ...response, spelling };
  }

  note(query: string): void {
    this.#popular?.note(query);
  }

  /**
   * Returns suggestions: first popular queries, then titles and other phrases, then queries completed by a likely
   * next word. Explicit words are never suggested, whatever the level of the family filter.
   */
  async suggest(prefix: string, limit: number): Promise<Suggestion[]> {
    const popular = this.#popular?.suggest(prefix, Math.ceil(limit / 2)) ?? [];
    const phrases = this.#suggester.suggest(prefix, limit);
    const next = suggestNextWords(this.#pairs, prefix, limit);
    const queries = popular.map((text) => ({ text }));
    const completed = next.map((text): Suggestion => ({ text, isGuess: true }));
    const room = limit - Math.min(completed.length, Math.floor(limit / 3));
    const first = distinct([...queries, ...phrases]).slice(0, room);
    const all = distinct([...first, ...completed, ...phrases]);
    return all.filter(({ text }) => !hasExplicitWord(text)).slice(0, limit);
  }

  async explain(query: string, url: CanonicalUrl, request?: ExplainOptions): Promise<ScoreBreakdown | null> {
    return (await this.#inner.explain?.(query, url, request)) ?? null;
  }

  stats(): IndexStats {
    return this.#inner.stats();
  }

  close(): void {
    this.#inner.close();
  }

  async #correct({ query, arrivedAt }: SearchRequest): Promise<Correction | null> {
    if (this.#corrector) return this.#corrector.correct(query);
    return ifTime(() => this.#inner.correct!(query, arrivedAt === undefined ? {} : { arrivedAt }));
  }
}

/**
 * Runs an additional search. Returns null if the searcher is overloaded; the caller then uses the response for the
 * typed query.
 */
async function ifTime<T>(ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof GyreError && error.code === 'overloaded') return null;
    throw error;
  }
}

function isMeant(correction: Correction, typed: SearchResponse, corrected: SearchResponse): boolean {
  if (typed.total === 0) return true;
  const isKnown = typed.evidence !== undefined && corrected.evidence !== undefined;
  return isKnown && isMuchBetter(correction, typed.evidence!, corrected.evidence!);
}

function haveSameResults(one: SearchResponse, other: SearchResponse): boolean {
  return one.total === other.total && one.results.every(({ url }, at) => url === other.results[at]?.url);
}

/** Removes suggestions that differ from an earlier one only in spaces and punctuation. */
function distinct(suggestions: readonly Suggestion[]): Suggestion[] {
  const seen = new Set<string>();
  return suggestions.filter(({ text }) => {
    const key = unspacedKey(text);
    const isNew = !seen.has(key);
    seen.add(key);
    return isNew;
  });
}
