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
    const indexed = this.#index ? `; ${this.#index.docs} indexed` : '';
    return `${crawlLine(this.#crawl, rates, this.#data)}${indexed}`;
  }

  status(): ServeStatus | null {
    if (!this.#crawl) return null;
    const { state, pages, queued, troubles } = this.#crawl;
    const errors = Object.values(troubles).reduce((sum, count) => sum + count, 0);
    const otherwise = this.#index?.ranked ? 'idle' : 'indexing';
    const isCrawling = state === 'running' || state === 'paused';
    const shown = this.#isPaused() ? 'paused' : isCrawling ? 'crawling' : otherwise;
    return { state: shown, pages, queued, errors };
  }
}
