/**
 * A searcher over the index in a directory of this machine.
 *
 *   parse -> terms -> look up -> evaluate (every match) -> rerank (the best 200) -> snippets (one page)
 *
 * `total` counts the documents that meet the condition of the query; see meaning.ts. A further plain word never
 * makes it smaller; it changes the order, with documents that have all words in front.
 */
import type { Clock, Directory, Log } from '../base/mod.ts';
import { IndexReader } from '../index/mod.ts';
import { DEFAULT_PROFILE, type ScoreBreakdown } from '../rank/mod.ts';
import { type CanonicalUrl, fingerprint } from '../url/mod.ts';
import { AnswerCache, cacheKey } from './answer-cache.ts';
import { encodeCursor } from './cursor.ts';
import { DamagedSegmentError } from './errors.ts';
import { evaluate, type Match } from './evaluate.ts';
import { KernelSearch } from './kernel-search.ts';
import type { LinkLookup } from './lookups.ts';
import { parseQuery } from './parse.ts';
import { readQuery } from './read-query.ts';
import { RERANKED, rerank } from './rerank.ts';
import { nextCursor, pageOf, readCursor, shownResults } from './results-page.ts';
import type { IndexStats, Searcher, SearchRequest, SearchResponse } from './searcher.ts';
import { lookUp, statisticsOf } from './statistics.ts';
import type { TermQuery } from './term-query.ts';

export interface LocalSearcherOptions {
  log: Log;
  clock: Clock;
  /** After this long a query answers with what it has; default 5 s. */
  timeLimitMs?: number;
  /** Asked while a query runs; true ends it early, as the time limit does. */
  isHurried?: () => boolean;
  /** How much memory lists of postings may take between queries; default 256 MiB. */
  cacheBytes?: number;
  /** How much memory remembered answers may take; none are remembered by default. */
  answerBytes?: number;
  /** The link graph, for `link:` and `inanchor:`; asked for with every query, as a newer one may come. */
  links?: () => LinkLookup | null;
}

const DEFAULT_TIME_LIMIT_MS = 5000;
const DEFAULT_CACHE_BYTES = 256 * 1024 * 1024;
/** Results further down are counted but cannot be listed. */
const MAX_LISTED = 10_000;

/** An index that was never built gives empty answers. */
export function openSearcher(index: Directory, options: LocalSearcherOptions): LocalSearcher {
  return new LocalSearcher(new IndexReader(index, options.log), options);
}

export class LocalSearcher implements Searcher {
  readonly #index: IndexReader;
  readonly #clock: Clock;
  readonly #timeLimitMs: number;
  readonly #isHurried: () => boolean;
  readonly #kernel: KernelSearch;
  readonly #links: () => LinkLookup | null;
  readonly #answers: AnswerCache;

  constructor(index: IndexReader, options: LocalSearcherOptions) {
    this.#index = index;
    this.#clock = options.clock;
    this.#timeLimitMs = options.timeLimitMs ?? DEFAULT_TIME_LIMIT_MS;
    this.#isHurried = options.isHurried ?? (() => false);
    this.#links = options.links ?? (() => null);
    this.#answers = new AnswerCache(options.answerBytes ?? 0);
    this.#kernel = new KernelSearch(options.cacheBytes ?? DEFAULT_CACHE_BYTES);
  }

  /** Goes over to the newest index; false if nothing changed. */
  refresh(): boolean {
    return this.#index.refresh();
  }

  async search(request: SearchRequest): Promise<SearchResponse> {
    const startedAt = this.#clock.now();
    const links = this.#links();
    const version = `${this.#index.generation} ${links?.generation ?? ''}`;
    const key = cacheKey(request, parseQuery(request.query).text, 'default');
    const known = this.#answers.find(version, key);
    if (known) return { ...known, tookMs: this.#clock.now() - startedAt };
    const { query, answer } = this.#withoutDamage(() => {
      const query = readQuery(request.query, this.#index, links);
      return { query, answer: this.#answer(query, request, startedAt, links) };
    });
    const isDamaged = this.#index.missing.length > 0;
    const notes = [...query.notes, ...answer.notes];
    if (isDamaged) notes.push('A part of the index is damaged and was left out.');
    const response: SearchResponse = {
      query: query.text,
      tookMs: this.#clock.now() - startedAt,
      ...answer,
      partial: answer.partial || isDamaged,
      notes,
    };
    this.#answers.keep(version, key, response);
    return response;
  }

  /** Why a document has the score it has when it is among the best; null if it is not in the index. */
  explain(query: string, url: CanonicalUrl): ScoreBreakdown | null {
    return this.#withoutDamage(() => {
      const read = readQuery(query, this.#index, this.#links());
      const { words, alternatives } = read;
      const searched = lookUp(this.#index.segments, words, alternatives);
      const match = this.#find(url);
      if (!match) return null;
      const statistics = statisticsOf(searched, words.length);
      return rerank(read, searched, statistics, DEFAULT_PROFILE, [match])[0]!.breakdown;
    });
  }

  stats(): IndexStats {
    const { segments, sizeBytes, generation } = this.#index;
    const docCount = segments.reduce((sum, { liveDocs }) => sum + liveDocs, 0);
    const stats = { docCount, segmentCount: segments.length, sizeBytes, generation };
    return this.#answers.isOn ? { ...stats, cache: this.#answers.stats } : stats;
  }

  close(): void {
    this.#index.close();
  }

  /** Runs `read`, again without a segment that proves to be damaged. */
  #withoutDamage<T>(read: () => T): T {
    for (;;) {
      try {
        return read();
      } catch (error) {
        if (!(error instanceof DamagedSegmentError)) throw error;
        this.#index.leaveOut(error.segment, error);
      }
    }
  }

  #answer(query: TermQuery, request: SearchRequest, startedAt: number, links: LinkLookup | null): Answer {
    if (!query.condition) return { total: 0, partial: false, notes: [], results: [] };
    const { generation } = this.#index;
    const { cursor, notes } = readCursor(request, query.text, generation);
    const searched = lookUp(this.#index.segments, query.words, query.alternatives);
    const statistics = statisticsOf(searched, query.words.length);
    const end = Math.min(cursor.offset + request.limit, MAX_LISTED);
    const limits = {
      keep: cursor.after ? request.limit : Math.max(end, RERANKED),
      count: true,
      isLate: () => this.#isHurried() || this.#clock.now() - startedAt > this.#timeLimitMs,
      after: cursor.after,
      anchorsOf: (key: bigint) => links?.anchorsOf(key) ?? [],
    };
    const { total, partial, matches } = evaluate(
      query,
      searched,
      statistics,
      DEFAULT_PROFILE,
      limits,
      this.#kernel,
    );
    const close = cursor.after ? [] : matches.slice(0, RERANKED);
    const best = rerank(query, searched, statistics, DEFAULT_PROFILE, close);
    const page = pageOf(best, matches.slice(close.length), cursor, request, query);
    const results = shownResults(page, query, statistics, request.collapse ?? false);
    const next = nextCursor(page, close.at(-1), total);
    if (!request.cursor) notes.push(...notesOn(request, total));
    const answer = { total, partial, notes, results };
    return next ? { ...answer, cursor: encodeCursor({ ...next, generation }, query.text) } : answer;
  }

  #find(url: CanonicalUrl): Match | null {
    const key = fingerprint(url);
    for (const segment of this.#index.segments) {
      const doc = segment.reader.findDocument(key);
      if (doc >= 0 && !segment.deletes.has(doc)) return { segment, doc, score: 0 };
    }
    return null;
  }
}

type Answer = Pick<SearchResponse, 'total' | 'partial' | 'notes' | 'results' | 'cursor'>;

function notesOn({ offset, limit }: SearchRequest, total: number): string[] {
  const isCut = Math.min(offset + limit, total) > MAX_LISTED;
  return isCut ? [`Only the first ${MAX_LISTED} results can be listed so; a cursor goes further.`] : [];
}
