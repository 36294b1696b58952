/** The context that every page and route receives: the search engine and the settings of the server. */

import type { Answerer, ResultDetails } from '../answer/mod.ts';
import type { Clock, Log } from '../base/mod.ts';
import type { FamilyLevel, IndexStats, Searcher } from '../query/mod.ts';
import type { CanonicalUrl, OtherEngine, SiteRule } from '../url/mod.ts';
import type { Accounts } from './accounts.ts';
import type { AdminDesk, Dashboard, RelevanceDesk } from './admin/mod.ts';
import type { Assets } from './assets/mod.ts';
import type { PageStanding } from './api/mod.ts';
import type { Brand } from './brand.ts';
import type { PageArchive } from './cached/mod.ts';
import type { ChangeFeed } from './changes/mod.ts';
import type { AdminTools, ClusterTools, CrawlAction, DirectoryTools } from './operations/mod.ts';
import type { SiteTools } from './sites/mod.ts';
import type { StandingTools } from './standing/mod.ts';

export type { PageArchive } from './cached/mod.ts';

export interface ServeOptions {
  searcher: Searcher;
  version: string;
  /** The contact of the operator for site owners: a web or mail address; empty if there is none. */
  contact: string;
  log: Log;
  clock: Clock;
  /**
   * Returns the state of the crawl; null if this server has no crawl. Called for every page that is rendered.
   */
  status?: () => ServeStatus | null;
  /** The archived copies of pages. If absent, the server shows no copies. */
  archive?: PageArchive;
  /** The changes of pages, for programs. If absent, `/api/v1/changes` does not exist. */
  feed?: ChangeFeed;
  /** Says whether a URL has a page, for `/api/v1/pages`. If absent, this route does not exist. */
  standingOf?: (url: CanonicalUrl) => Promise<PageStanding>;
  /**
   * Returns the location of the icon that the crawl found for an origin: a URL in the archive or a `data:`
   * URL; null if it found none.
   */
  iconOf?: (origin: string) => Promise<string | null>;
  /** The operator's rules for sites. A searcher's own rules override them. */
  siteRules?: readonly SiteRule[];
  /**
   * True if the Images tab loads pictures from their sites; by default the tab shows only texts about the
   * pictures.
   */
  showsPictures?: boolean;
  /**
   * The level of the family filter for searchers who have not chosen a level; `moderate` by default. The
   * searcher (the search engine behind the server) applies it.
   */
  familyFilter?: FamilyLevel;
  /** The other search engines, for queries with a bang and for searches without results. */
  elsewhere?: readonly OtherEngine[];
  /**
   * The secret that signs the preferences cookie. The default is a random secret, which is lost when the
   * server ends.
   */
  secret?: string;
  /** The commands for the crawl. If absent, the routes for commands do not exist. */
  control?: CrawlControl;
  /** Inspects URLs and removes pages. If absent, the routes for this do not exist. */
  tools?: AdminTools;
  /**
   * Fetches URLs, and exports records of the archive and the politeness ledger. If absent, as on a gateway of a
   * cluster, the routes for this do not exist.
   */
  directoryTools?: DirectoryTools;
  /** Implements the pages for site owners. Without it, `/bot` has no facts about the settings. */
  sites?: SiteTools;
  /** Saved queries and their feeds. If absent, as on a gateway of a cluster, there are none. */
  standing?: StandingTools;
  /** True if everybody may use `/cdx`; by default only clients with admin access. */
  hasPublicCdx?: boolean;
  /** The state and the commands of the cluster of a gateway. Without it the routes for this do not exist. */
  clusterTools?: ClusterTools;
  /** The token for the admin routes, which change something; see admin-access.ts. */
  adminToken?: string;
  /** The accounts and the work of the admin pages. Without it there are no admin pages and no API keys for them. */
  admin?: { accounts: Accounts; desk: AdminDesk; dashboard?: Dashboard; relevance?: RelevanceDesk };
  /** True if the operator lets people sign in over plain HTTP from other machines; see privacy.ts. */
  allowsAdminHttp?: boolean;
  /** Finds answer boxes for a query. If absent, there are no answer boxes. */
  answerer?: Answerer;
  /** Finds additional details of results, such as prices. If absent, results have no such details. */
  details?: ResultDetails;
  limits?: Partial<ServeLimits>;
  /** The name, logo, colours and links of the engine; by default those of Gyre. */
  brand?: Brand;
  /** The URL by which people reach the engine; by default it is taken from each request. */
  publicUrl?: string;
  /** True if only this machine may reach the server; see site-address.ts. */
  isLocal?: boolean;
  /** The size limit of the cache of rendered pages; 0, the default, disables it. */
  pageCacheBytes?: number;
}

/** The limits for clients. By default every client may send as many requests as the server can handle. */
export interface ServeLimits {
  /**
   * The maximum number of searches per client and minute. A client may send ten times as many requests in total. 0
   * sets no limit.
   */
  perMinute: number;
  /** The maximum number of requests that wait for a slot. Further requests are refused with 503. */
  maxQueuedRequests: number;
  /** The keys for the JSON API; empty if clients need no key. */
  apiKeys: readonly string[];
  /** The origins whose pages may use the JSON API; `*` for all. */
  origins: readonly string[];
  /** The addresses of proxies whose forwarding headers are trusted. */
  proxies: readonly string[];
}

export interface CrawlControl {
  /** Sends a command to the crawl. Returns null on success, or the reason why the command is not possible. */
  act(action: CrawlAction): string | null;
}

export interface ServeStatus {
  state: 'crawling' | 'indexing' | 'paused' | 'disk-full' | 'idle';
  /**
   * `pages` is the number of fetched pages, `queued` the number of known URLs that are not fetched yet, and
   * `errors` the number of failed fetches.
   */
  pages: number;
  queued: number;
  errors: number;
  /** More about the crawl of this process; absent if the crawl runs in another process. */
  crawl?: CrawlFigures;
}

/** The counters of a crawl since the process started, and its requests in flight. */
export interface CrawlFigures {
  /** True if the crawl was stopped, so that it can be started again. */
  isStopped: boolean;
  /** Responses and failures of all kinds, except icons. */
  fetched: number;
  /** Size of all response bodies as received. */
  bytes: number;
  /** Number of responses by HTTP status. */
  statuses: Readonly<Record<string, number>>;
  /** Number of failed requests by reason, for example `HTTP 503` or `timeout`. */
  failures: Readonly<Record<string, number>>;
  /** Number of hosts with work in memory. */
  activeHosts: number;
  /** Number of hosts with a request in flight. */
  underWay: number;
}

export interface ServerContext {
  searcher: Searcher;
  version: string;
  contact: string;
  brand: Brand;
  assets: Assets;
  archive: PageArchive | null;
  standingOf: ((url: CanonicalUrl) => Promise<PageStanding>) | null;
  details: ResultDetails | null;
  iconOf(origin: string): Promise<string | null>;
  siteRules: readonly SiteRule[];
  showsPictures: boolean;
  familyFilter: FamilyLevel;
  elsewhere: readonly OtherEngine[];
  secret: string;
  pageCacheBytes: number;
  /** The public URL of the engine; empty if not configured. */
  publicUrl: string;
  clock: Clock;
  answerer: Answerer | null;
  standing: StandingTools | null;
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

/** Returns the state of the crawl as the API shows it, without the figures that only operators see. */
export function shownStatus(site: ServerContext): Omit<ServeStatus, 'crawl'> | null {
  const status = site.status();
  if (!status) return null;
  const { crawl: _, ...shown } = status;
  return shown;
}
