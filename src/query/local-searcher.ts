/**
 * A searcher over the index in a directory of this machine.
 *
 *   parse -> look up -> evaluate (every match) -> rerank (the best 200) -> snippets (one page)
 *
 * `total` counts the documents that match under the reading of parse.ts: any of the words, all of the
 * phrases, nothing excluded, on one of the sites. So a further word never makes it smaller; it changes the
 * order, with documents that have all words in front.
 */
import type { Clock, Directory, Log } from '../base/mod.ts';
import { IndexReader } from '../index/mod.ts';
import { DEFAULT_PROFILE, type QueryStatistics, type ScoreBreakdown } from '../rank/mod.ts';
import { type CanonicalUrl, fingerprint } from '../url/mod.ts';
import { DamagedSegmentError, reading } from './errors.ts';
import { evaluate, type Match } from './evaluate.ts';
import { KernelSearch } from './kernel-search.ts';
import { type ParsedQuery, parseQuery } from './parse.ts';
import { RERANKED, rerank } from './rerank.ts';
import type { IndexStats, Searcher, SearchRequest, SearchResponse, SearchResult } from './searcher.ts';
import { orderByRules, SiteJudge } from './site-rules.ts';
import { snippetOf } from './snippet.ts';
import { lookUp, statisticsOf } from './statistics.ts';

export interface LocalSearcherOptions {
  log: Log;
  clock: Clock;
  /** After this long a query answers with what it has; default 5 s. */
  timeLimitMs?: number;
  /** How much memory lists of postings may take between queries; default 256 MiB. */
  cacheBytes?: number;
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
  readonly #kernel: KernelSearch;

  constructor(index: IndexReader, options: LocalSearcherOptions) {
    this.#index = index;
    this.#clock = options.clock;
    this.#timeLimitMs = options.timeLimitMs ?? DEFAULT_TIME_LIMIT_MS;
    this.#kernel = new KernelSearch(options.cacheBytes ?? DEFAULT_CACHE_BYTES);
  }

  /** Goes over to the newest index; false if nothing changed. */
  refresh(): boolean {
    return this.#index.refresh();
  }

  async search(request: SearchRequest): Promise<SearchResponse> {
    const startedAt = this.#clock.now();
    const judge = request.siteRules?.length ? new SiteJudge(request.siteRules) : null;
    const query = withoutBlocked(parseQuery(request.query), judge);
    const answer = this.#withoutDamage(() => this.#answer(query, request, judge, startedAt));
    const isDamaged = this.#index.missing.length > 0;
    const notes = [...query.notes, ...answer.notes];
    if (isDamaged) notes.push('A part of the index is damaged and was left out.');
    return {
      query: query.text,
      total: answer.total,
      tookMs: this.#clock.now() - startedAt,
      partial: answer.partial || isDamaged,
      notes,
      results: answer.results,
    };
  }

  /** Why a document has the score it has when it is among the best; null if it is not in the index. */
  explain(query: string, url: CanonicalUrl): ScoreBreakdown | null {
    const { words } = parseQuery(query);
    return this.#withoutDamage(() => {
      const searched = lookUp(this.#index.segments, words);
      const match = this.#find(url);
      if (!match) return null;
      const statistics = statisticsOf(searched, words.length);
      return rerank(words, searched, statistics, DEFAULT_PROFILE, [match])[0]!.breakdown;
    });
  }

  stats(): IndexStats {
    const { segments, sizeBytes, generation } = this.#index;
    const docCount = segments.reduce((sum, { liveDocs }) => sum + liveDocs, 0);
    return { docCount, segmentCount: segments.length, sizeBytes, generation };
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

  #answer(query: ParsedQuery, request: SearchRequest, judge: SiteJudge | null, startedAt: number): Answer {
    if (query.words.length + query.sites.length === 0)
      return { total: 0, partial: false, notes: [], results: [] };
    const end = Math.min(request.offset + request.limit, MAX_LISTED);
    const searched = lookUp(this.#index.segments, query.words);
    const statistics = statisticsOf(searched, query.words.length);
    const limits = {
      keep: Math.max(end, RERANKED),
      count: true,
      isLate: () => this.#clock.now() - startedAt > this.#timeLimitMs,
    };
    const list = (query: ParsedQuery) => {
      const found = evaluate(query, searched, statistics, DEFAULT_PROFILE, limits, this.#kernel);
      const head = found.matches.slice(0, RERANKED);
      const best = rerank(query.words, searched, statistics, DEFAULT_PROFILE, head);
      return { ...found, matches: [...best, ...found.matches.slice(RERANKED)] };
    };
    const { total, partial, matches } = list(query);
    const ruled = judge ? ruledOrder(query, matches, judge, list) : matches;
    const page = ruled.slice(request.offset, end);
    const results = page.map((match) => resultOf(match, query, statistics));
    return { total, partial, notes: notesOn(request, total), results };
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

/** Blocked sites are left out before anything is counted. */
function withoutBlocked(query: ParsedQuery, judge: SiteJudge | null): ParsedQuery {
  if (!judge || judge.sites('block').length === 0) return query;
  return { ...query, blocks: (host) => judge.blocks(host) };
}

/** Pinned sites may stand far down, so they are searched on their own, unless the query names its sites itself. */
function ruledOrder(
  query: ParsedQuery,
  matches: readonly Match[],
  judge: SiteJudge,
  list: (query: ParsedQuery) => { matches: Match[] },
): Match[] {
  const sites = judge.sites('pin');
  const mayBeFar = sites.length > 0 && query.sites.length === 0;
  const pinned = mayBeFar ? list({ ...query, sites }).matches.slice(0, RERANKED) : matches.slice(0, RERANKED);
  const hostOf = ({ segment, doc }: Match) => segment.reader.host(doc);
  const isSame = (a: Match, b: Match) => a.segment === b.segment && a.doc === b.doc;
  return orderByRules(matches, pinned, RERANKED, judge, hostOf, isSame);
}

type Answer = Pick<SearchResponse, 'total' | 'partial' | 'notes' | 'results'>;

function notesOn({ offset, limit }: SearchRequest, total: number): string[] {
  const isCut = Math.min(offset + limit, total) > MAX_LISTED;
  return isCut ? [`Only the first ${MAX_LISTED} results can be listed.`] : [];
}

function resultOf(match: Match, query: ParsedQuery, statistics: QueryStatistics): SearchResult {
  const { segment, doc, score } = match;
  const document = reading(segment, () => segment.reader.document(doc));
  const snippet = snippetOf(document, query.words, statistics.idfs);
  return {
    url: document.url,
    title: document.title,
    snippet: snippet.text,
    highlights: snippet.highlights,
    host: segment.reader.host(doc),
    score,
    fetchedAt: new Date(document.fetchedAt).toISOString(),
  };
}
