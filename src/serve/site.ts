/** What every page and route is given: the engine behind the site and how it presents itself. */

import type { Answerer, ResultDetails } from '../answer/mod.ts';
import type { Clock, Log } from '../base/mod.ts';
import type { IndexStats, Searcher, SiteRule } from '../query/mod.ts';
import type { Assets } from './assets.ts';
import type { PageArchive } from './cached/page-archive.ts';
import type { CrawlAction } from './crawl-routes.ts';

export interface ServeOptions {
  searcher: Searcher;
  version: string;
  /** How a site owner reaches the operator: a web or mail address; empty if none. */
  contact: string;
  log: Log;
  clock: Clock;
  /** How the crawl stands, asked for at every page; null when none belongs to this server. */
  status?: () => ServeStatus | null;
  /** Copies of pages; without it there are none to show. */
  archive?: PageArchive;
  /** Where the crawl found the icon of an origin: an address in the archive, or a `data:` URL; null if it found none. */
  iconOf?: (origin: string) => string | null;
  /** The operator's rules for sites, for everybody without a rule of their own. */
  siteRules?: readonly SiteRule[];
  /** Signs the cookie with a searcher's preferences; by default one that is forgotten when the server ends. */
  secret?: string;
  /** What can be done with the crawl; without it there are no routes for that. */
  control?: CrawlControl;
  /** What opens the routes that change something; see admin-access.ts. */
  adminToken?: string;
  /** Short answers beside the results; without it there are none. */
  answerer?: Answerer;
  /** What results behind a tab show besides; without it they are like all others. */
  details?: ResultDetails;
  limits?: Partial<ServeLimits>;
  /** The address by which people reach the engine; by default the one they asked. */
  publicUrl?: string;
  /** Only this machine is to reach it; see site-address.ts. */
  isLocal?: boolean;
  /** How much memory rendered pages may take; none are kept by default. */
  pageCacheBytes?: number;
}

/** Who may ask, and how much; by default everybody, as much as the server can do. */
export interface ServeLimits {
  /** Requests of one client in a minute; 0 for no limit. */
  perMinute: number;
  /** Requests that may wait for their turn; more are refused with 503. */
  queue: number;
  /** Keys for the JSON interface; none for everybody. */
  apiKeys: readonly string[];
  /** Origins whose pages may use the JSON interface; `*` for all. */
  origins: readonly string[];
  /** Addresses of proxies whose word on the client's address is taken. */
  proxies: readonly string[];
}

export interface CrawlControl {
  /** Null when it is done, or why it cannot be. */
  act(action: CrawlAction): string | null;
}

export interface ServeStatus {
  state: 'crawling' | 'indexing' | 'paused' | 'idle';
  /** Pages fetched, URLs known but not fetched, fetches that failed. */
  pages: number;
  queued: number;
  errors: number;
}

export interface Site {
  searcher: Searcher;
  version: string;
  contact: string;
  assets: Assets;
  archive: PageArchive | null;
  details: ResultDetails | null;
  iconOf(origin: string): string | null;
  siteRules: readonly SiteRule[];
  secret: string;
  pageCacheBytes: number;
  /** Empty if nobody said. */
  publicUrl: string;
  clock: Clock;
  /** Short answers; null if there are none. */
  answerer: Answerer | null;
  status(): ServeStatus | null;
}

/** The figures of the index, or null while the searcher cannot tell them (not open, or closed). */
export function indexStats(site: Site): IndexStats | null {
  try {
    return site.searcher.stats();
  } catch {
    return null;
  }
}
