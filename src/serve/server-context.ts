/** The context that every page and route receives: the search engine and the settings of the server. */

import type { Answerer, ResultDetails } from '../answer/mod.ts';
import type { Clock, Log } from '../base/mod.ts';
import type { IndexStats, Searcher } from '../query/mod.ts';
import type { OtherEngine, SiteRule } from '../url/mod.ts';
import type { Assets } from './assets/mod.ts';
import type { PageArchive } from './cached/mod.ts';
import type { CrawlAction } from './operations/mod.ts';

export interface ServeOptions {
  searcher: Searcher;
  version: string;
  /** Contact of the operator for site owners: a web or mail address; empty if none. */
  contact: string;
  log: Log;
  clock: Clock;
  /** Returns the state of the crawl. Called for every page; null when this server has no crawl. */
  status?: () => ServeStatus | null;
  /** Archived copies of pages; without it the server shows no copies. */
  archive?: PageArchive;
  /**
   * Returns the location of the icon that the crawl found for an origin: a URL in the archive or a `data:`
   * URL; null if it found none.
   */
  iconOf?: (origin: string) => Promise<string | null>;
  /** The operator's rules for sites. A searcher's own rules override them. */
  siteRules?: readonly SiteRule[];
  /** Other search engines, for bangs and for searches without results. */
  elsewhere?: readonly OtherEngine[];
  /**
   * Signs the cookie with a searcher's preferences; the default is a random secret, lost when the server
   * ends.
   */
  secret?: string;
  /** Commands for the crawl; without it the routes for them do not exist. */
  control?: CrawlControl;
  /** The token for routes that change something; see admin-access.ts. */
  adminToken?: string;
  /** Answer boxes beside the results; without it there are none. */
  answerer?: Answerer;
  /** Additional details for results on a tab; without it they look like all other results. */
  details?: ResultDetails;
  limits?: Partial<ServeLimits>;
  /** The URL by which people reach the engine; by default it is taken from each request. */
  publicUrl?: string;
  /** True if only this machine may reach the server; see site-address.ts. */
  isLocal?: boolean;
  /** Size limit of the cache of rendered pages; 0, the default, disables it. */
  pageCacheBytes?: number;
}

/** Limits for clients. By default every client may send as many requests as the server can handle. */
export interface ServeLimits {
  /**
   * The maximum number of searches per client and minute. A client may send ten times as many requests in total. 0
   * sets no limit.
   */
  perMinute: number;
  /** Requests that may wait for a slot; more are refused with 503. */
  maxQueuedRequests: number;
  /** Keys for the JSON API; empty if clients need no key. */
  apiKeys: readonly string[];
  /** Origins whose pages may use the JSON API; `*` for all. */
  origins: readonly string[];
  /** Addresses of proxies whose forwarding headers are trusted. */
  proxies: readonly string[];
}

export interface CrawlControl {
  /** Returns null on success, or the reason why the action is not possible. */
  act(action: CrawlAction): string | null;
}

export interface ServeStatus {
  state: 'crawling' | 'indexing' | 'paused' | 'idle';
  /**
   * `pages` is the number of fetched pages, `queued` that of URLs that are known but not fetched, and `errors` that
   * of failed fetches.
   */
  pages: number;
  queued: number;
  errors: number;
}

export interface ServerContext {
  searcher: Searcher;
  version: string;
  contact: string;
  assets: Assets;
  archive: PageArchive | null;
  details: ResultDetails | null;
  iconOf(origin: string): Promise<string | null>;
  siteRules: readonly SiteRule[];
  elsewhere: readonly OtherEngine[];
  secret: string;
  pageCacheBytes: number;
  /** Empty if not configured. */
  publicUrl: string;
  clock: Clock;
  /** Null if there are no answer boxes. */
  answerer: Answerer | null;
  status(): ServeStatus | null;
}

/** Returns the index statistics, or null while the searcher is not open. */
export function indexStats(site: ServerContext): IndexStats | null {
  try {
    return site.searcher.stats();
  } catch {
    return null;
  }
}
