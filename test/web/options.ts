/** What a synthetic web is asked to be, and what that means when little is said. */
import { UsageError } from '../../src/base/mod.ts';
import type { Features } from './features.ts';

export interface WebOptions {
  seed: number;
  /** Hosts with plain pages; features bring their own. */
  hosts: number;
  /** Plain pages, exactly this many. */
  pages: number;
  /** Half of the plain pages are larger than this. Default 8,000. */
  medianPageBytes?: number;
  /** Links on a plain page, on average. Default 12. */
  linksPerPage?: number;
  /** Page counts of hosts fall with rank to this power; 0 makes all hosts equal. Default 0.7. */
  hostSkew?: number;
  /** The product token that robots rules and directives single out. Default `gyre`. */
  agent?: string;
  /** Misbehaviour: how much of it, or `true` for its usual amount. */
  features?: Features;
  tuning?: Partial<Tuning>;
}

/** Sizes and times of misbehaviour, so that a test need not wait long or a benchmark can be harsh. */
export interface Tuning {
  /** `slow`: how late an answer is. Default 1,500. */
  slowMs: number;
  /** `tooMany`, `unavailable`: how long the site stays away, in whole seconds. Default 1,000. */
  retryAfterMs: number;
  /** `robots`: the Crawl-delay of the host that has one. Default 1,000. */
  crawlDelayMs: number;
  /** `changing`: the shortest period; the others are 4, 16 and 64 times as long. Default 60,000. */
  changePeriodMs: number;
  /** `bombs`: what a body inflates to. Default 200 MB. */
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
