/** Wraps a searcher and adds suggestions. Counts the queries that visitors make, to suggest them. */
import type { Directory, Log } from '../../base/mod.ts';
import { openPhrases, type PhraseTable, WordPairs } from '../../lexicon/mod.ts';
import type { ScoreBreakdown } from '../../scoring/mod.ts';
import { hasExplicitWord } from '../../text/mod.ts';
import type { CanonicalUrl } from '../../url/mod.ts';
import type {
  ExplainOptions,
  IndexStats,
  Searcher,
  SearchRequest,
  SearchResponse,
  Suggestion,
} from '../searcher.ts';
import { FollowedIndexes, type FollowedPhrases, followPhrases } from './lexicon-follower.ts';
import { ReloadingFile } from './reloading-file.ts';
import { type PopularQueries, Suggester, suggestNextWords, unspacedKey } from './suggest/mod.ts';

/** A searcher that can switch to the newest index. */
export interface RefreshingSearcher extends Searcher {
  refresh(): unknown;
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
    this.#popular = popular;
  }

  refresh(): void {
    this.#inner.refresh();
    this.#refreshPhrases();
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
    const response = await this.#inner.search(request);
    const isFirst = request.offset === 0 && request.cursor === undefined;
    if (!isFirst || request.asTyped || response.partial) return response;
    if (response.total === 0) this.#popular?.noteWithoutResults(request.query);
    else if (!response.spelling?.automatic) this.note(request.query);
    return response;
  }

  note(query: string): void {
    this.#popular?.note(query);
  }

  /**
   * Returns suggestions: first popular queries, then titles and other phrases, then queries completed by a likely
   * next word. A single typed word is completed to words before titles. Explicit words are never suggested, whatever
   * the level of the family filter.
   */
  async suggest(prefix: string, limit: number): Promise<Suggestion[]> {
    const popular = this.#popular?.suggest(prefix, Math.ceil(limit / 2)) ?? [];
    const next = suggestNextWords(this.#pairs, prefix, limit);
    const phrases = this.#suggester.suggest(prefix, limit, next.length === 0);
    const queries = popular.map((text) => ({ text }));
    const completed = next.map((text): Suggestion => ({ text, isGuess: true }));
    const room = Math.min(completed.length, Math.floor(limit / 3));
    const isWord = !/\s/.test(prefix.trim());
    const words = isWord ? completed.slice(0, room) : [];
    const first = distinct([...queries, ...words, ...phrases]).slice(0, limit - room + words.length);
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
