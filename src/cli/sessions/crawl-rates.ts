/** Measures the speed of a crawl: over the last few seconds while it runs, and over its whole duration at the end. */
import type { CrawlSnapshot } from '../../crawl/mod.ts';

const WINDOW_MS = 5_000;

export interface CrawlRates {
  pagesPerSecond: number;
  bytesPerSecond: number;
}

interface Sample {
  at: number;
  pages: number;
  bytes: number;
}

export class RateMeter {
  readonly #start: Sample;
  #samples: Sample[];

  constructor(now: number) {
    this.#start = { at: now, pages: 0, bytes: 0 };
    this.#samples = [this.#start];
  }

  /** Returns the rates over the last WINDOW_MS. */
  measure({ pages, bytes }: CrawlSnapshot, now: number): CrawlRates {
    const sample = { at: now, pages, bytes };
    this.#samples.push(sample);
    const recent = this.#samples.findIndex(({ at }) => at >= now - WINDOW_MS);
    this.#samples = this.#samples.slice(Math.max(0, recent - 1));
    return ratesBetween(this.#samples[0]!, sample);
  }

  /** Returns the rates since the start of the crawl. */
  average({ pages, bytes }: CrawlSnapshot, now: number): CrawlRates {
    return ratesBetween(this.#start, { at: now, pages, bytes });
  }
}

function ratesBetween(from: Sample, to: Sample): CrawlRates {
  const seconds = Math.max(to.at - from.at, 1) / 1000;
  return {
    pagesPerSecond: (to.pages - from.pages) / seconds,
    bytesPerSecond: (to.bytes - from.bytes) / seconds,
  };
}
