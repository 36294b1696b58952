import type { Clock, Directory, Log, Random } from '../base/mod.ts';
import type { ReadingPlan } from '../page/mod.ts';
import type { CanonicalUrl, HostAccess, UrlRulesPlan } from '../url/mod.ts';
import type { NearDuplicateOptions } from './duplicates/mod.ts';
import type { HostGroupOptions, PolitenessOptions } from './frontier/mod.ts';
import type { LinkExchange } from './link-exchange.ts';
import type { RobotsOverrides } from './robots/mod.ts';
import type { CaptureMark, CaptureStore, CrawlState } from './state/mod.ts';
import type { ClassifierData } from './topics/mod.ts';
import type { BudgetOptions } from './traps/mod.ts';
import type { RevisitOptions } from './schedule/mod.ts';

/** The URLs that the operator has removed: the crawl does not request them. */
export interface RemovedPages {
  matches(url: CanonicalUrl): boolean;
  /** Returns true if all URLs of this origin are removed. */
  coversHost(origin: string): boolean;
}

/** Memory limits of a crawl, in bytes. */
interface CrawlMemory {
  /** Limit in bytes for response bodies that wait for their commit. */
  heldBytes: number;
  /** Limit in bytes for the set of known URLs. When it is full, fingerprints are moved to disk. */
  seenBytes: number;
  /** Limit in bytes for the heap of each parser thread. */
  parserHeapBytes: number;
}

/** Everything that the caller passes to a crawl: its state, its directories and its configuration. */
export interface CrawlOptions {
  state: CrawlState;
  /** The directory with the files that only the crawl uses, such as `seen.log`. */
  directory: Directory;
  /** The local archive and journal. They stay empty if `openCaptures` opens another store. */
  archive: Directory;
  journal: Directory;
  /** Opens a capture store other than the one in local files, with the content that it had at the mark. */
  openCaptures?: (mark: CaptureMark) => Promise<CaptureStore>;
  /** Exchanges links with other nodes. By default this process owns every host. */
  exchange?: LinkExchange;
  /** The interval between commits; 250 ms by default. */
  commitMs?: number;
  /** Returns false while this process may not send requests, because its lease of the hosts may have expired. */
  mayFetch?: () => boolean;
  urlRules: UrlRulesPlan;
  robotsOverrides: RobotsOverrides;
  /** The URLs that the operator has removed; they may change while the crawl runs. By default there are none. */
  removed?: RemovedPages;
  clock: Clock;
  random: Random;
  log: Log;
  userAgent: string;
  /** Name and version of this product, which are written to the archive. */
  software: string;
  politeness: PolitenessOptions;
  hostGroups: Omit<HostGroupOptions, 'clock'>;
  /** Number of parser threads. */
  readerThreads: number;
  /** Time limit for parsing one page; a thread that exceeds it is replaced. */
  readLimitMs: number;
  /** Maximum number of requests in flight, over all hosts. */
  concurrency: number;
  maxPages: number;
  maxUrlsPerHost: number;
  /** Limits on the number of pages per host; important hosts may have more pages. */
  budget: BudgetOptions;
  /** True to fetch an icon for each site. */
  icons: boolean;
  maxBodyBytes: number;
  memory: CrawlMemory;
  timeLimitMs: number;
  nearDuplicates: NearDuplicateOptions;
  warcBytes: number;
  warcCompression: 'gzip' | 'zstd';
  allowAddresses: readonly string[];
  resolve: Record<string, string>;
  /** Time for which resolved IP addresses of host names are cached. */
  dnsCacheMs: number;
  proxy: string;
  /** Certificate authorities in PEM format that are trusted in addition to the usual ones. */
  authorities: readonly string[];
  access: HostAccess;
  /** True if the crawl continues to run when no work is left, and waits for parked hosts and new seeds. */
  keepRunning: boolean;
  /** The operator's choices about reading pages, such as extractors. */
  reading: ReadingPlan;
  /** The topic of the crawl, whose pages are fetched first. */
  topic?: ClassifierData | undefined;
  /** The revisit schedule of fetched URLs. */
  revisits: RevisitOptions;
  /**
   * True to revisit URLs that are due when the crawl starts and, with `keepRunning`, URLs that become due
   * later.
   */
  revisit: boolean;
  onUnreachable(origin: string, reason: string): void;
}
