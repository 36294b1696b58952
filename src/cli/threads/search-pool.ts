/**
 * Queries in threads: a searcher that hands each query to one of several threads, which have searchers of their own.
 *
 *   request -> the thread that answered such a query before, if it is free; any that is free; else the queue
 *
 * The main thread accepts connections and never waits for an index. A query may be hostile: it holds up its own
 * thread for as long as the time limit allows, and if others wait for one, only for `PATIENCE_MS`: then it is told to
 * hurry, by a number in shared memory that its loops look at, and answers with what it has. A query that breaks
 * its thread, because it takes more memory than a thread may have, is answered as partial, and the thread is replaced.
 */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { type CacheStats, GyreError, hash64, type Log, UsageError } from '../../base/mod.ts';
import type { IndexStats, RefreshingSearcher, SearchRequest, SearchResponse } from '../../query/mod.ts';
import type { ScoreBreakdown } from '../../rank/mod.ts';
import type { CanonicalUrl } from '../../url/mod.ts';
import type { Config } from '../config.ts';
import type { Failure } from '../failure.ts';

/** How long a query may take while others wait. */
const PATIENCE_MS = 250;
const MAX_WAITING = 1000;
/** The heap of a thread; postings and tables lie outside of it. */
const HEAP_MB = 256;
/** Before a thread that was lost is replaced: it may be lost again at once. */
const REPLACE_MS = 500;
const THREAD = new URL('search-thread.ts', import.meta.url);
const NO_STATS: IndexStats = { docCount: 0, segmentCount: 0, sizeBytes: 0, generation: 0 };

export interface SearchThreadInput {
  config: Config;
  cacheBytes: number;
  answerBytes: number;
  /** One number: not 0 means hurry. */
  hurry: SharedArrayBuffer;
}

export type ToSearchThread = Question | { kind: 'refresh' } | { kind: 'close' };

export type FromSearchThread =
  | { kind: 'answer'; answer: SearchResponse | ScoreBreakdown | null }
  | { kind: 'failed'; code: string; message: string }
  | { kind: 'stats'; stats: IndexStats }
  /** The index cannot be opened; the last message. */
  | ({ kind: 'unusable' } & Failure);

/** What a thread answers one at a time. */
type Question =
  | { kind: 'search'; request: SearchRequest }
  | { kind: 'explain'; query: string; url: CanonicalUrl };

interface Job {
  question: Question;
  resolve(answer: unknown): void;
  reject(error: Error): void;
}

interface SearchThread {
  worker: Worker;
  ended: Promise<unknown>;
  hurry: Int32Array;
  job: Job | null;
  isLost: boolean;
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
  #isClosed = false;

  constructor(config: Config, log: Log, thread = THREAD) {
    this.#config = config;
    this.#log = log;
    this.#thread = thread;
    this.#threads = Array.from({ length: config.serve.threads }, (_, slot) => this.#start(slot));
    this.#timer = setInterval(() => this.#hurryUp(), PATIENCE_MS / 5).unref();
  }

  /** Resolves when a thread has opened the index, rejects if it cannot be opened. */
  get ready(): Promise<void> {
    return this.#ready.promise;
  }

  search(request: SearchRequest): Promise<SearchResponse> {
    return this.#ask({ kind: 'search', request });
  }

  explain(query: string, url: CanonicalUrl): Promise<ScoreBreakdown | null> {
    return this.#ask({ kind: 'explain', query, url });
  }

  #ask<Answer>(question: Question): Promise<Answer> {
    if (this.#waiting.length >= MAX_WAITING) {
      return Promise.reject(new GyreError('overloaded', 'too many queries at once: try again later'));
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ question, resolve: resolve as Job['resolve'], reject });
      this.#assign();
    });
  }

  /** Of the thread that has seen the newest index, the generation of the one that lags behind; memory of all together. */
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

  /** A thread that is busy goes over to the newest index after its query. */
  refresh(): void {
    this.#tellAll({ kind: 'refresh' });
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#timer);
    for (const { hurry } of this.#threads) Atomics.store(hurry, 0, 1);
    this.#tellAll({ kind: 'close' });
  }

  /** After `close`, resolves when every thread has ended. */
  async ended(): Promise<void> {
    await Promise.all(this.#threads.map(({ ended }) => ended));
  }

  #tellAll(message: ToSearchThread): void {
    for (const { worker } of this.#threads) worker.postMessage(message);
  }

  #start(slot: number): SearchThread {
    const hurry = new SharedArrayBuffer(4);
    const { cache, answerCache, threads } = this.#config.serve;
    const workerData: SearchThreadInput = {
      config: this.#config,
      cacheBytes: Math.floor(cache / threads),
      answerBytes: Math.floor(answerCache / 2 / threads),
      hurry,
    };
    const worker = new Worker(this.#thread, {
      workerData,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    });
    const thread = {
      worker,
      ended: new Promise((resolve) => worker.once('exit', resolve)),
      hurry: new Int32Array(hurry),
      job: null,
      isLost: false,
      startedAt: 0,
      stats: NO_STATS,
    };
    worker.on('message', (message: FromSearchThread) => this.#hear(thread, message));
    void this.#untilEnd(slot, thread);
    return thread;
  }

  async #untilEnd(slot: number, thread: SearchThread): Promise<void> {
    const why = await once(thread.worker, 'exit').then(
      () => 'it ended',
      (error: Error) => error.message,
    );
    const { job } = thread;
    thread.job = null;
    thread.isLost = true;
    if (this.#isClosed) {
      job?.reject(new GyreError('closed', 'the search engine is being stopped'));
      return;
    }
    this.#log.error('a thread for queries was lost and is replaced', {
      why,
      query: job && queryOf(job.question),
    });
    job?.resolve(brokenOff(job.question));
    setTimeout(() => this.#replace(slot), REPLACE_MS);
  }

  #replace(slot: number): void {
    if (this.#isClosed) return;
    this.#threads[slot] = this.#start(slot);
    this.#assign();
  }

  #hear(thread: SearchThread, message: FromSearchThread): void {
    if (message.kind === 'stats') {
      thread.stats = message.stats;
      this.#ready.resolve();
      return;
    }
    if (message.kind === 'unusable') {
      const kind = message.usage ? UsageError : GyreError;
      this.#ready.reject(new kind(message.code, message.message));
      return;
    }
    const job = thread.job;
    thread.job = null;
    Atomics.store(thread.hurry, 0, 0);
    if (message.kind === 'answer') job?.resolve(message.answer);
    else job?.reject(new GyreError(message.code, message.message));
    this.#assign();
  }

  #assign(): void {
    while (this.#waiting.length > 0) {
      const thread = this.#freeThread(queryOf(this.#waiting[0]!.question));
      if (!thread) return;
      const job = this.#waiting.shift()!;
      thread.job = job;
      thread.startedAt = performance.now();
      thread.worker.postMessage(job.question satisfies ToSearchThread);
    }
  }

  /** Pages of one query come from one thread if it is free: it has the lists in memory. */
  #freeThread(query: string): SearchThread | undefined {
    const wanted = this.#threads[Number(hash64(query) % BigInt(this.#threads.length))]!;
    const isFree = ({ job, isLost }: SearchThread) => job === null && !isLost;
    return isFree(wanted) ? wanted : this.#threads.find(isFree);
  }

  #hurryUp(): void {
    if (this.#waiting.length === 0) return;
    const now = performance.now();
    for (const { job, startedAt, hurry } of this.#threads) {
      if (job && now - startedAt > PATIENCE_MS) Atomics.store(hurry, 0, 1);
    }
  }
}

function queryOf(question: Question): string {
  return question.kind === 'search' ? question.request.query : question.query;
}

function brokenOff(question: Question): SearchResponse | null {
  if (question.kind === 'explain') return null;
  const { query } = question.request;
  const notes = ['The query needed more memory than one may have.'];
  return { query, total: 0, tookMs: 0, partial: true, notes, results: [] };
}
