/**
 * A pool of search threads. The pool is a searcher that sends each query to one of several threads, each with its
 * own searcher.
 *
 *   request -> queue (cheap queries first) -> the first free thread
 *
 * The main thread accepts connections and never waits for an index. Because a query may be hostile:
 *
 *   - The time limit of a query starts when the query arrives. A query that is still in the queue at the end of this time
 *     is refused without being computed, and so is a query whose client has disconnected.
 *   - Expensive queries (see query-cost.ts) get at most half of the threads, and wait until no cheap query is waiting.
 *   - A query may take `PATIENCE_MS` while other queries wait. Then the pool sets a number in shared memory, which the
 *     loops of the query poll, and the query returns the matches so far. The same number enforces the time limit if the
 *     thread started late or its clock differs.
 *
 * A query that crashes its thread, because it exceeds the memory limit of a thread, gets a partial response, and
 * the thread is replaced.
 */
import {
  type CacheStats,
  type Clock,
  GyreError,
  type Log,
  messageOf,
  systemClock,
  systemCode,
} from '../../base/mod.ts';
import type { LoadedModel } from '../../meaning/mod.ts';
import {
  type Arrival,
  type ExplainOptions,
  type IndexStats,
  isExpensive,
  type RefreshingSearcher,
  type SearchRequest,
  type SearchResponse,
} from '../../query/mod.ts';
import type { ScoreBreakdown } from '../../scoring/mod.ts';
import { type CanonicalUrl, fingerprint } from '../../url/mod.ts';
import type { Config } from '../settings/mod.ts';
import type { MeaningSources } from './meaning-stage.ts';
import { type StartedThread, startSearchThread } from './search-thread-start.ts';

/** Maximum duration of a query while other queries wait. */
const PATIENCE_MS = 250;
const MAX_WAITING = 1000;
/** Delay before a crashed thread is replaced, because the new thread may also crash at once. */
const REPLACE_MS = 500;
const THREAD = new URL('./search-thread.ts', import.meta.url);
const NO_STATS: IndexStats = { docCount: 0, segmentCount: 0, sizeBytes: 0, generation: 0 };

/** Requests to a search thread. The thread opens the index at its first request. */
export type ToSearchThread =
  | Question
  | { kind: 'open' | 'warmUp' | 'refresh' | 'close' }
  | { kind: 'useModel'; model: LoadedModel };

/** Reply of a search thread: statistics of the index to `open` and `refresh`, the result to a question. */
export type SearchReply = SearchResponse | ScoreBreakdown | IndexStats | null;

/**
 * A query or another request for results. A thread handles one question at a time. `waitedMs` is the time since the
 * question arrived. A duration is sent instead of a time, because the clocks of threads may differ.
 */
type Question = (
  | { kind: 'search'; request: Omit<SearchRequest, keyof Arrival> }
  | { kind: 'explain'; query: string; url: CanonicalUrl; request: Omit<ExplainOptions, keyof Arrival> }
) & { waitedMs: number };

interface Job {
  question: Question;
  arrivedAt: number;
  isCancelled: () => boolean;
  isExpensive: boolean;
  resolve(answer: unknown): void;
  reject(error: unknown): void;
}

/** A thread of the pool. */
interface SearchThread extends StartedThread<ToSearchThread, SearchReply> {
  job: Job | null;
  /** True after the thread has opened the index, until the thread ends. */
  isOpen: boolean;
  startedAt: number;
  stats: IndexStats;
}

export class SearchPool implements RefreshingSearcher {
  readonly #config: Config;
  readonly #log: Log;
  readonly #threads: SearchThread[];
  readonly #waiting: Job[] = [];
  readonly #timer: NodeJS.Timeout;
  readonly #thread: URL;
  readonly #ready = Promise.withResolvers<void>();
  readonly #clock: Clock;
  readonly #meaning: MeaningSources;
  #isClosed = false;

  /** Starts the search threads. The pages in their responses are counted as shown. */
  constructor(
    config: Config,
    log: Log,
    meaning: MeaningSources,
    thread = THREAD,
    clock: Clock = systemClock,
  ) {
    this.#config = config;
    this.#clock = clock;
    this.#meaning = meaning;
    this.#log = log;
    this.#thread = thread;
    this.#threads = Array.from({ length: config.serve.threads }, (_, slot) => this.#start(slot));
    this.#timer = setInterval(() => this.#watch(), PATIENCE_MS / 5).unref();
  }

  /**
   * Resolves when all threads have opened the index and warmed up, with the model if the index has vectors; rejects if
   * the index cannot be opened.
   */
  get ready(): Promise<void> {
    return this.#ready.promise;
  }

  async search({ arrivedAt, isCancelled, ...request }: SearchRequest): Promise<SearchResponse> {
    const question: Question = { kind: 'search', request, waitedMs: 0 };
    const response = await this.#ask<SearchResponse>(question, { arrivedAt, isCancelled });
    for (const { url } of response.results) this.#meaning.shown.add(fingerprint(url as CanonicalUrl));
    return response;
  }

  explain(query: string, url: CanonicalUrl, asked: ExplainOptions = {}): Promise<ScoreBreakdown | null> {
    const { arrivedAt, isCancelled, ...request } = asked;
    return this.#ask({ kind: 'explain', query, url, request, waitedMs: 0 }, { arrivedAt, isCancelled });
  }

  #ask<Answer>(question: Question, arrival: Asking): Promise<Answer> {
    if (this.#waiting.length >= MAX_WAITING) return Promise.reject(overloaded());
    const { arrivedAt = this.#clock.now(), isCancelled = () => false } = arrival;
    return new Promise((resolve, reject) => {
      this.#waiting.push({
        question,
        arrivedAt,
        isCancelled,
        isExpensive: isExpensive(queryOf(question)),
        resolve: resolve as Job['resolve'],
        reject,
      });
      this.#assign();
    });
  }

  /**
   * Returns the statistics of the thread with the newest index, with two differences: the generation is the
   * lowest of all threads, and the cache sizes are the totals of all threads.
   */
  stats(): IndexStats {
    const all = this.#threads.map(({ stats }) => stats);
    const latest = all.reduce((best, one) => (one.generation > best.generation ? one : best), NO_STATS);
    const newest = { ...latest, generation: Math.min(...all.map(({ generation }) => generation)) };
    const caches = all.flatMap(({ cache }) => cache ?? []);
    const sum = (of: (cache: CacheStats) => number) => caches.reduce((total, cache) => total + of(cache), 0);
    if (caches.length === 0) return newest;
    return {
      ...newest,
      cache: {
        hits: sum(({ hits }) => hits),
        misses: sum(({ misses }) => misses),
        sizeBytes: sum(({ sizeBytes }) => sizeBytes),
      },
    };
  }

  /** Makes all threads use the newest index; a busy thread switches to it after its query. */
  refresh(): void {
    for (const thread of this.#threads) void this.#refresh(thread);
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#timer);
    for (const { hurry, channel } of this.#threads) {
      Atomics.store(hurry, 0, 1);
      // An error here is ignored: a thread that has ended or never opened the index has nothing to close.
      channel.ask({ kind: 'close' }).catch(() => {});
    }
  }

  /** Resolves when every thread has ended; call it after `close`. */
  async ended(): Promise<void> {
    await Promise.all(this.#threads.map(({ channel }) => channel.ended));
  }

  #start(slot: number): SearchThread {
    const started = startSearchThread<ToSearchThread, SearchReply>(this.#config, this.#thread, slot);
    const thread: SearchThread = { ...started, job: null, isOpen: false, startedAt: 0, stats: NO_STATS };
    void this.#open(thread);
    void thread.channel.ended.then((why) => this.#ended(slot, thread, why));
    return thread;
  }

  async #open(thread: SearchThread): Promise<void> {
    try {
      thread.stats = (await thread.channel.ask({ kind: 'open' })) as IndexStats;
      const withModel = this.#giveModel(thread);
      if (thread.stats.embeddedDocs) await withModel;
      await thread.channel.ask({ kind: 'warmUp' });
      thread.isOpen = true;
      if (this.#threads.every(({ isOpen }) => isOpen)) this.#ready.resolve();
      this.#assign();
    } catch (error) {
      if (this.#isClosed || isDeath(error)) return;
      this.#ready.reject(error);
      await thread.channel.close();
    }
  }

  async #giveModel({ channel }: SearchThread): Promise<void> {
    const model = await this.#meaning.model;
    if (!model) return;
    try {
      await channel.ask({ kind: 'useModel', model });
    } catch (error) {
      if (!isDeath(error)) this.#log.warn('no search by meaning', { reason: messageOf(error) });
    }
  }

  async #refresh(thread: SearchThread): Promise<void> {
    if (!thread.isOpen) return;
    try {
      thread.stats = (await thread.channel.ask({ kind: 'refresh' })) as IndexStats;
    } catch (error) {
      if (!isDeath(error)) throw error;
    }
  }

  #ended(slot: number, thread: SearchThread, why: string): void {
    const { job } = thread;
    thread.job = null;
    thread.isOpen = false;
    if (this.#isClosed) {
      job?.reject(new GyreError('closed', 'the search threads are stopping'));
      return;
    }
    this.#log.error('search thread replaced', { why, query: job && queryOf(job.question) });
    job?.resolve(brokenOff(job.question));
    setTimeout(() => this.#replace(slot), REPLACE_MS);
  }

  #replace(slot: number): void {
    if (!this.#isClosed) this.#threads[slot] = this.#start(slot);
  }

  #assign(): void {
    this.#refuseLate();
    for (let at = this.#nextWaiting(); at >= 0; at = this.#nextWaiting()) {
      const job = this.#waiting[at]!;
      const thread = this.#freeThread();
      if (!thread) return;
      this.#waiting.splice(at, 1);
      void this.#run(job, thread);
    }
  }

  /** Runs a job in a thread and settles its promise. If the thread dies, `#ended` settles it. */
  async #run(job: Job, thread: SearchThread): Promise<void> {
    thread.job = job;
    thread.startedAt = performance.now();
    try {
      const answer = await thread.channel.ask({ ...job.question, waitedMs: this.#waitedMs(job) });
      job.resolve(answer);
    } catch (error) {
      if (isDeath(error)) return;
      job.reject(error);
    }
    thread.job = null;
    Atomics.store(thread.hurry, 0, 0);
    this.#assign();
  }

  /**
   * Returns the position of the next job in the queue: the first cheap query or, if there is none, the first
   * expensive query, provided that another expensive query may start. Returns -1 if there is no such job.
   */
  #nextWaiting(): number {
    const cheap = this.#waiting.findIndex((job) => !job.isExpensive);
    if (cheap >= 0 || this.#waiting.length === 0) return cheap;
    const busy = this.#threads.filter(({ job }) => job?.isExpensive).length;
    return busy < Math.max(1, Math.floor(this.#threads.length / 2)) ? 0 : -1;
  }

  #waitedMs({ arrivedAt }: Job): number {
    return Math.max(0, this.#clock.now() - arrivedAt);
  }

  #isLate(job: Job): boolean {
    return this.#waitedMs(job) > this.#config.serve.timeLimitMs;
  }

  /** Refuses queued queries whose time limit has passed or whose client has disconnected. */
  #refuseLate(): void {
    for (let at = this.#waiting.length - 1; at >= 0; at--) {
      const job = this.#waiting[at]!;
      if (!this.#isLate(job) && !job.isCancelled()) continue;
      this.#waiting.splice(at, 1);
      job.reject(overloaded());
    }
  }

  /**
   * Returns the first free thread. While queries come one at a time, the first thread therefore runs all of
   * them: with two threads, its code is compiled and its caches are filled after half as many queries as if the
   * queries were divided. This thread also loads the vocabulary for
   * corrections before the first query.
   */
  #freeThread(): SearchThread | undefined {
    return this.#threads.find(({ job, isOpen }) => job === null && isOpen);
  }

  /**
   * Refuses queued queries that have reached their time limit. Makes a running query return early if it exceeds its
   * time limit or delays other queries.
   */
  #watch(): void {
    this.#refuseLate();
    const now = performance.now();
    const doCheapWait = this.#waiting.some((job) => !job.isExpensive);
    for (const { job, startedAt, hurry } of this.#threads) {
      if (!job) continue;
      const isAwaited = job.isExpensive ? this.#waiting.length > 0 : doCheapWait;
      if ((isAwaited && now - startedAt > PATIENCE_MS) || this.#isLate(job)) Atomics.store(hurry, 0, 1);
    }
  }
}

type Asking = { [Key in keyof Arrival]?: Arrival[Key] | undefined };

function isDeath(error: unknown): boolean {
  return systemCode(error) === 'thread-died';
}

function overloaded(): GyreError {
  return new GyreError('overloaded', 'Too many queries are waiting; try again later.');
}

function queryOf(question: Question): string {
  return question.kind === 'search' ? question.request.query : question.query;
}

function brokenOff(question: Question): SearchResponse | null {
  if (question.kind !== 'search') return null;
  const { query } = question.request;
  const notes: SearchResponse['notes'] = [{ code: 'out-of-memory', values: {} }];
  return { query, total: 0, tookMs: 0, partial: true, notes, results: [] };
}
