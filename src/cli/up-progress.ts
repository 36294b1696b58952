/** How the stages of `gyre up` stand, for the terminal and for the pages. */
import { journalName } from '../archive/mod.ts';
import type { CrawlSnapshot } from '../crawl/mod.ts';
import type { ServeStatus } from '../serve/mod.ts';
import { commandFor } from './advice.ts';
import { RateMeter } from './crawl-rates.ts';
import { counted, crawlLine, troubleList } from './output.ts';
import type { IndexReport } from './threads/index-thread.ts';

export class UpProgress {
  readonly #meter = new RateMeter(Date.now());
  readonly #data: string;
  #crawl: CrawlSnapshot | null = null;
  #onStopped: () => void = () => {};
  /** The crawl was stopped by somebody who wants everything else to go on. */
  isHalted = false;
  #index: IndexReport | null = null;
  readonly #isPaused: () => boolean;

  /** `isPaused`: whether somebody wants a pause. A crawl that waits for pages to be due has one too, and does not say so. */
  constructor(data: string, isPaused: () => boolean) {
    this.#data = data;
    this.#isPaused = isPaused;
  }

  /** Called when somebody has asked the crawl to stop, and with it everything. */
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

  /** Nothing is left to fetch, and all of it is indexed and ranked. */
  get isComplete(): boolean {
    if (this.#crawl?.state !== 'done') return false;
    const { journalFiles } = this.#crawl;
    if (journalFiles === 0) return true;
    if (this.#index?.journal !== journalName(journalFiles)) return false;
    return this.#index.ranked || this.#index.docs === 0;
  }

  announcement(address: string): string {
    const docs = this.#index?.docs ?? 0;
    if (docs > 0) return `ready: ${counted(docs, 'document')}; search at ${address} (Ctrl-C ends)`;
    const why = this.#crawl ? troubleList(this.#crawl) : '';
    return `nothing to search: no page was indexed${why === '' ? '' : ` (${why})`}; ${commandFor('status', this.#data)} tells more`;
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
