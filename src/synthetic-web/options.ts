/** The options of a synthetic web, and their defaults. */
import { UsageError } from '../base/mod.ts';
import type { Features } from './features.ts';

export interface WebOptions {
  seed: number;
  /** The number of hosts with plain pages. Features add further hosts. */
  hosts: number;
  pages: number;
  /** The median size of plain pages. Default: 8,000. */
  medianPageBytes?: number;
  /** The average number of links on a plain page. Default: 12. */
  linksPerPage?: number;
  /**
   * The exponent that determines how unequal the hosts are: the number of pages of host number r is
   * proportional to r to the power of -hostSkew. With 0, all hosts are equal. Default: 0.7.
   */
  hostSkew?: number;
  /** The product token of the crawler, which robots rules and directives name. Default: `gyre`. */
  agent?: string;
  /** The amount of each feature, or `true` for its usual amount. */
  features?: Features;
  tuning?: Partial<Tuning>;
}

/** The sizes and times of features. Tests make them small to be fast, and benchmarks large. */
export interface Tuning {
  /** The delay of a response of the feature `slow`. Default: 1,500. */
  slowMs: number;
  /**
   * The time for which hosts of the features `tooMany` and `unavailable` are unavailable, a multiple of
   * 1,000. Default: 1,000.
   */
  retryAfterMs: number;
  /** The Crawl-delay of the feature `robots`, on the host that has one. Default: 1,000. */
  crawlDelayMs: number;
  /**
   * The shortest period of the feature `changing`. The other periods are 4, 16 and 64 times as long. Default:
   * 60,000.
   */
  changePeriodMs: number;
  /**
   * The time unit of the feature `jobPortal`: a posting is open for 3 or 4 of these periods, and the next one of its slot
   * opens after 6. Default: 60,000.
   */
  portalPeriodMs: number;
  /** The decompressed size of a body of the feature `bombs`. Default: 200 MB. */
  bombBytes: number;
  /** The size of a page of the feature `hugePages`. Default: 5 MB. */
  hugeBytes: number;
}

export type ResolvedOptions = Required<Omit<WebOptions, 'tuning'>> & { tuning: Tuning };

/** The number of the first document of features. Plain pages are numbered from 0. */
export const FIRST_FEATURE_DOCUMENT = 50_000_000;

const DEFAULT_TUNING: Tuning = {
  slowMs: 1500,
  retryAfterMs: 1000,
  crawlDelayMs: 1000,
  changePeriodMs: 60_000,
  portalPeriodMs: 60_000,
  bombBytes: 200e6,
  hugeBytes: 5e6,
};

export function resolveOptions(options: WebOptions): ResolvedOptions {
  const resolved = {
    medianPageBytes: 8000,
    linksPerPage: 12,
    hostSkew: 0.7,
    agent: 'gyre',
    features: {},
    ...options,
    tuning: { ...DEFAULT_TUNING, ...options.tuning },
  };
  requireWhole('seed', resolved.seed, 0, 0xffffffff);
  requireWhole('hosts', resolved.hosts, 1, 1_000_000);
  requireWhole('pages', resolved.pages, resolved.hosts, FIRST_FEATURE_DOCUMENT);
  requireWhole('medianPageBytes', resolved.medianPageBytes, 500, 10_000_000);
  requireWhole('linksPerPage', resolved.linksPerPage, 1, 1000);
  return resolved;
}

function requireWhole(name: string, value: number, low: number, high: number): void {
  if (Number.isInteger(value) && value >= low && value <= high) return;
  throw new UsageError(
    'bad-web-option',
    `${name} must be a whole number from ${low} to ${high}, not ${value}`,
  );
}
