/** The options of a synthetic web, and their defaults. */
import { UsageError } from '../base/mod.ts';
import type { Features } from './features.ts';

export interface WebOptions {
  seed: number;
  /** Hosts with plain pages; features add their own. */
  hosts: number;
  /** The exact number of plain pages. */
  pages: number;
  /** The median size of plain pages. Default 8,000. */
  medianPageBytes?: number;
  /** The average number of links on a plain page. Default 12. */
  linksPerPage?: number;
  /**
   * The page count of a host is proportional to its rank to the power of -hostSkew; 0 makes all hosts equal.
   * Default 0.7.
   */
  hostSkew?: number;
  /** The product token that robots rules and directives name. Default `gyre`. */
  agent?: string;
  /** Misbehaviour: the amount of each feature, or `true` for its usual amount. */
  features?: Features;
  tuning?: Partial<Tuning>;
}

/** Sizes and times of misbehaviour, so that tests can be fast and benchmarks harsh. */
export interface Tuning {
  /** `slow`: the delay of a response. Default 1,500. */
  slowMs: number;
  /** `tooMany`, `unavailable`: how long the host is unavailable, in whole seconds. Default 1,000. */
  retryAfterMs: number;
  /** `robots`: the Crawl-delay of the host that has one. Default 1,000. */
  crawlDelayMs: number;
  /** `changing`: the shortest period; the others are 4, 16 and 64 times as long. Default 60,000. */
  changePeriodMs: number;
  /** `bombs`: the decompressed size of a body. Default 200 MB. */
  bombBytes: number;
  /** `hugePages`: the size of a page. Default 5 MB. */
  hugeBytes: number;
}

export type ResolvedOptions = Required<Omit<WebOptions, 'tuning'>> & { tuning: Tuning };

/** Documents of features are numbered from here, plain pages from 0. */
export const FIRST_FEATURE_DOCUMENT = 50_000_000;

const DEFAULT_TUNING: Tuning = {
  slowMs: 1500,
  retryAfterMs: 1000,
  crawlDelayMs: 1000,
  changePeriodMs: 60_000,
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
