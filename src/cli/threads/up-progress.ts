/** Progress of the stages of `gyre up`, shown on the terminal and on the web pages. */

import type { CrawlSnapshot } from '../../crawl/mod.ts';
import { MAIN_WRITER } from '../../journal/mod.ts';
import type { ServeStatus } from '../../serve/mod.ts';
import { commandFor } from '../advice.ts';
import { counted, crawlLine, troubleList } from '../output.ts';
import { RateMeter } from '../sessions/crawl-rates.ts';
import type { IndexReport } from './index-thread.ts';

export class UpProgress {
  readonly #meter = new RateMeter(Date.now());
  readonly #data: string;
  #crawl: CrawlSnapshot | null = null;
  /** Sums of the crawl threads that ended before the present one. */
  #before = NOTHING_CRAWLED;
  #onStopped: () => void = () => {};
  /** True if the crawl was stopped through the HTTP API. The other stages then continue. */
  isHalted = false;
  #index: IndexReport | null = null;
  readonly #isPaused: () => boolean;

  /**
   * `isPaused` returns true if a pause was requested. A crawl that waits until pages are due is not shown as paused.
   */
  constructor(data: string, isPaused: () => boolean) {
    this.#data = data;
    this.#isPaused = isPaused;
  }

  /** Registers a function that is called when the crawl stops, unless it was stopped through the HTTP API. */
  onStopped(act: () => void): void {
    this.#onStopped = act;
  }

  stopped(): void {
    this.#onStopped();
  }

  /** Reports the start of a crawl thread, whose counters begin at 0. */
  started(): void {
    if (this.#crawl) this.#before = addFigures(this.#before, figuresOf(this.#crawl));
    this.#crawl &&= { ...this.#crawl, ...NOTHING_IN_THREAD };
  }

  crawled(snapshot: CrawlSnapshot): void {
    this.#crawl = snapshot;
    if (snapshot.state === 'stopped' && !this.isHalted) this.stopped();
  }

  indexed(report: IndexReport): void {
    this.#index = report;
  }

  /** True if the frontier is empty and all pages are indexed and ranked. */
  get isComplete(): boolean {
    if (this.#crawl?.state !== 'done') return false;
    const { journalFiles } = this.#crawl;
    if (journalFiles === 0) return true;
    if (this.#index?.journal[MAIN_WRITER] !== journalFiles) return false;
    return this.#index.ranked || this.#index.docs === 0;
  }

  announcement(address: string): string {
    const docs = this.#index?.docs ?? 0;
    if (docs > 0) return `ready: ${counted(docs, 'document')}; search at ${address} (Ctrl-C ends)`;
    const why = this.#crawl ? troubleList(this.#crawl) : '';
    return `no page was indexed${why === '' ? '' : ` (${why})`}; run ${commandFor('status', this.#data)} for details`;
  }

  line(): string {
    if (!this.#crawl) return '';
    const rates = this.#meter.measure(this.#crawl, Date.now());
    return crawlLine(this.#crawl, rates, this.#data, this.#index?.docs ?? 0);
  }

  status(): ServeStatus | null {
    if (!this.#crawl) return null;
    const { state, queued, activeHosts, underWay } = this.#crawl;
    const { pages, ...crawl } = addFigures(this.#before, figuresOf(this.#crawl));
    const errors = Object.values(crawl.failures).reduce((sum, count) => sum + count, 0);
    const otherwise = this.#index?.ranked ? 'idle' : 'indexing';
    const isCrawling = state === 'running' || state === 'paused';
    if (this.#crawl.isDiskFull) return { state: 'disk-full', pages, queued, errors };
    const shown = this.#isPaused() ? 'paused' : isCrawling ? 'crawling' : otherwise;
    return {
      state: shown,
      pages,
      queued,
      errors,
      crawl: { ...crawl, isStopped: this.isHalted, activeHosts, underWay },
    };
  }
}

type Counts = Readonly<Record<string, number>>;

/** The counters of a crawl thread that add up over several threads. */
interface Figures {
  pages: number;
  fetched: number;
  bytes: number;
  statuses: Counts;
  failures: Counts;
}

const NOTHING_CRAWLED: Figures = { pages: 0, fetched: 0, bytes: 0, statuses: {}, failures: {} };
const NOTHING_IN_THREAD = { pages: 0, fetched: 0, bytes: 0, statuses: {}, troubles: {} };

function figuresOf({ pages, fetched, bytes, statuses, troubles }: CrawlSnapshot): Figures {
  return { pages, fetched, bytes, statuses, failures: troubles };
}

function addFigures(a: Figures, b: Figures): Figures {
  return {
    pages: a.pages + b.pages,
    fetched: a.fetched + b.fetched,
    bytes: a.bytes + b.bytes,
    statuses: addCounts(a.statuses, b.statuses),
    failures: addCounts(a.failures, b.failures),
  };
}

function addCounts(a: Counts, b: Counts): Counts {
  const sums: Record<string, number> = { ...a };
  for (const [name, count] of Object.entries(b)) sums[name] = (sums[name] ?? 0) + count;
  return sums;
}
