/** The data and commands of the dashboard that the server itself does not have. `cli/dashboard/` implements them. */
import type { LiveSnapshot, NamedCount } from '../../../web/mod.ts';

/** Methods that change something throw a UsageError if the input is wrong, and return a sentence about what was done. */
export interface Dashboard {
  memoryLimitBytes: number;
  /** Facts that are expensive to read. They may be a few seconds old. */
  facts(): StoredFacts;
  /** Starts to read the facts again if they are old. Resolves when they are as new as reading them often may cost. */
  refreshFacts(): Promise<void>;
  hosts: HostDesk;
  crawl: CrawlDesk;
}

export type StoredFacts = Pick<LiveSnapshot, 'frontier' | 'index' | 'queries' | 'disk'>;

export interface HostDesk {
  list(query: HostSearch): Promise<HostListing>;
  find(origin: string): Promise<CrawledHost | null>;
  block(origin: string, who: string): string;
  unblock(origin: string, who: string): string;
  /** Sets the delay between requests, such as `5s`; the empty text returns to the common delay. */
  setDelay(origin: string, delay: string, who: string): string;
  recrawl(origin: string, who: string): string;
  /** Removes all pages of the host, and never crawls it again. */
  remove(origin: string, purge: boolean, who: string): Promise<string>;
}

export const HOST_ORDERS = ['host', 'pages', 'queued', 'errors', 'delay', 'next'] as const;
export const HOST_CHOICES = ['all', 'queued', 'waiting', 'errors', 'traps'] as const;

export interface HostSearch {
  text: string;
  choice: (typeof HOST_CHOICES)[number];
  order: (typeof HOST_ORDERS)[number];
  offset: number;
  limit: number;
}

export interface HostListing {
  total: number;
  hosts: CrawledHost[];
}

export interface CrawledHost {
  origin: string;
  pages: number;
  known: number;
  queued: number;
  failed: number;
  refused: number;
  delayMs: number;
  delayCause: 'setting' | 'host-setting' | 'robots' | 'slow';
  nextFetchAt: number;
  /** The reason why the host waits, as text. */
  wait: string;
  /** Number of fetched URLs, and the number that the host may have. */
  fetched: number;
  budget: number;
  traps: NamedCount[];
  isBlocked: boolean;
  address: string;
  links: number;
  /** Size of robots.txt; null if the host has none, or none was fetched. */
  robotsBytes: number | null;
}

export interface CrawlDesk {
  /** True if a change is used by a crawl of this process at once; false if a crawl elsewhere uses it when it starts. */
  isFollowed: boolean;
  seeds(): ShownSeed[];
  /** Adds seeds, one per line, as in a seed file. */
  addSeeds(lines: string, who: string): string;
  removeSeed(url: string, who: string): string;
  /** The URL rules as JSON. */
  rules(): string;
  /** Shows which known URLs the rules would decide about differently. */
  testRules(json: string): Promise<RuleTest>;
  saveRules(json: string, who: string): string;
  settings(): ShownSetting[];
  /** Changes a setting; null resets it to what file, environment and flags say. */
  changeSetting(key: string, value: string | null, who: string): string;
}

export interface ShownSeed {
  url: string;
  collections: string[];
}

export interface RuleTest {
  known: number;
  changes: RuleChange[];
}

/** URLs whose decision changes in the same way. */
export interface RuleChange {
  before: string;
  after: string;
  count: number;
  examples: { url: string; rule: string }[];
}

export interface ShownSetting {
  key: string;
  value: string;
  source: string;
  help: string;
  type: string;
  /** The values to choose from; empty if there are others. */
  choices: string[];
  isLive: boolean;
  isChanged: boolean;
}
