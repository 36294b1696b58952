/**
 * The persistent state of a crawl: URLs, hosts, contents, and the lengths up to which archive and journal are
 * valid.
 *
 * A URL is `ready` from the commit that discovered it until the commit of its result makes it
 *
 *   done      fetched; `status` has the HTTP status
 *   refused   not fetched or not kept: robots.txt, a URL rule, a trap, an unwanted type
 *   failed    all attempts failed; `reason` has the error
 *
 * A fetched URL may become ready again when it is due, whatever its result was (`wakeDue`).
 *
 * A lease is only in memory: after a crash without a commit the URL is still ready. All of a batch takes
 * effect in one transaction, together with the marks up to which archive and journal are valid. So state,
 * archive and journal agree after a crash at any moment: bytes after the marks are cut off, and the URLs they
 * came from are still ready.
 */

import type { CanonicalUrl, UrlVerb } from '../../url/mod.ts';
import type { SealedCaptures } from './capture-store.ts';
import type { CrawlKnowledgeStore, FindingsBatch } from './crawl-knowledge.ts';
import type { HostFailure, ParkedReason, ResponseSummary, UrlReason, WaitReason } from './reasons.ts';
import type { SiteIcon } from './site-icon.ts';

export type UrlState = 'ready' | 'done' | 'refused' | 'failed';

/**
 * The owner of a range of hosts (a vnode, see url/partition.ts). A state is opened for one owner, and every write
 * carries it. When the hosts get another owner, the epoch increases, and writes with an earlier epoch are refused
 * (`stale-epoch`). So a node that was disconnected for a while cannot overwrite the work of its successor.
 */
export interface Owner {
  vnode: number;
  epoch: number;
}

/** The owner of all hosts in a crawl by a single process. */
export const SOLE_OWNER: Owner = { vnode: 0, epoch: 1 };

/** A decision of the URL rules that allows a URL to be fetched. */
export type FetchVerb = Exclude<UrlVerb, 'ignore'>;

export interface ReadyUrl {
  url: CanonicalUrl;
  fingerprint: bigint;
  depth: number;
  attempts: number;
  /**
   * Decision of the URL rules when the URL was discovered; null if there was none, or if the rules have changed since
   * (`useRules`).
   */
  verb: FetchVerb | null;
  /** Estimated relevance to the topic of the crawl, from 1 to 255; absent if unknown (topics/link-relevance.ts). */
  relevance?: number;
}

export interface HostRow {
  origin: string;
  /** The earliest time for the next polite request, as of the last commit. */
  nextFetchAt: number;
  /** The last politeness delay of the host; at least the configured delay. */
  delayMs: number;
  robots: RobotsRow | null;
  /** Number of consecutive failures; any response resets it to 0. */
  failures: number;
  /** Reason why the host waits until `nextFetchAt`; null if it only waits for its politeness delay. */
  waitReason: WaitReason | null;
  /** Reason why the host is parked until `nextFetchAt`; null if it is not parked. */
  parkedReason: ParkedReason | null;
  /** IP address of the last response, or the address to which the host name was resolved; empty if unknown. */
  address: string;
  /**
   * Number of links from hosts of other domains to new URLs of this host. Each linking host counts once per commit.
   */
  links: number;
  /**
   * `fetched` is the number of requested URLs, and `useful` the number of requested URLs that were documents of
   * their own. The budget of the host depends on both.
   */
  fetched: number;
  useful: number;
  /** State of the site's icon, if the crawl has looked for one (site-icon.ts). */
  icon?: SiteIcon;
  /** True if the host budget of its registrable domain is used up (domains.ts); the frontier skips the host. */
  isHeldBack?: boolean;
}

/** A registrable domain, with counts of its hosts, their pages and the domains that link to them. */
export interface DomainRow {
  name: string;
  /** `hosts` is the number of known hosts, and `admitted` the number of known hosts that are not held back. */
  hosts: number;
  admitted: number;
  /** Number of hosts with several useful pages (traps/domain-budget.ts). */
  provenHosts: number;
  /** Sums of `fetched` and `useful` over the hosts of the domain. */
  fetched: number;
  useful: number;
  /** Estimated number of other domains that link to the domain. */
  linkingDomains: number;
}

/** Returns the number of hosts that a domain may have. `origin` is the new host to be admitted. */
export type HostBudget = (domain: DomainRow, origin?: string) => number;

export interface RobotsRow {
  /** The robots.txt as received; empty if there is none. */
  body: Uint8Array;
  /**
   * `rules` if the host has a robots.txt, `allow-all` after a 4xx. After a 5xx or without a response, nothing is
   * stored.
   */
  kind: 'rules' | 'allow-all';
  expiresAt: number;
}

export interface UrlResult {
  fingerprint: bigint;
  state: UrlState;
  attempts: number;
  /** HTTP status; 0 if there was no response. */
  status: number;
  reason: UrlReason;
  fetchedAt: number;
  /** Data about the response for the next revisit. If absent, the stored data is kept. */
  last?: LastCapture;
}

/** The changes of a URL that its visits have shown (schedule/revisit-schedule.ts). */
export interface VisitHistory {
  kind: 'page' | 'feed' | 'sitemap';
  /** Time of the last visit that showed whether the URL has changed. */
  visitedAt: number;
  /** Number of such visits after the first. */
  revisits: number;
  /** Beliefs about the number of changes and of new links per day (schedule/change-rate.ts). */
  changes: { shape: number; days: number };
  links: { shape: number; days: number };
  /** The logarithm of the rate of changes with which the URL is counted for its site; null if it is not counted. */
  counted: number | null;
  /** The class of equal needs in which the URL is counted (schedule/price-book.ts). */
  class: string;
}

/** Data about the last response of a URL that its next revisit needs (revisits.ts). */
export interface LastCapture {
  summary: ResponseSummary;
  /**
   * Validators (ETag and Last-Modified) for the next conditional request; empty if there were none or they may not be
   * used.
   */
  etag: string;
  lastModified: string;
  /** The X-Robots-Tag header, which may change although the body does not. */
  robotsTag: string;
  /**
   * Digest of the decoded body; `payloadDigest` is the digest of the body as received. Both are empty if the
   * response was not a page.
   */
  digest: string;
  payloadDigest: string;
  /** Time of the capture in the archive that contains the body. */
  archivedAt: number;
  /** True if the URL is a searchable document in the journal. */
  isDocument: boolean;
  /** Number of the sketch entry of the URL; null if it has none. */
  sketch: number | null;
  /** Number of consecutive responses that said the page is gone. */
  goneCount: number;
  /** The changes that earlier visits have shown; null for imported URLs and those that an earlier version of Gyre fetched. */
  history: VisitHistory | null;
  /** Time at which the page has changed since its last visit, according to a sitemap or feed; 0 if none says so. */
  hintedAt: number;
  intervalMs: number;
  /** Time of the next revisit; 0 if the URL is ready or is never fetched again. */
  dueAt: number;
}

/** URLs that have become ready because they are due for a revisit. */
export interface Woken {
  /** The origins of the hosts whose URLs have become ready. */
  origins: string[];
  count: number;
}

/** A newly discovered URL. */
export interface Discovered {
  url: CanonicalUrl;
  fingerprint: bigint;
  depth: number;
  /** Decision of the URL rules; absent if there was none, for example for an imported URL. */
  verb?: FetchVerb;
  /** Estimated relevance to the topic of the crawl, from 1 to 255; absent if unknown. */
  relevance?: number;
  /** The origin of the linking page, if it belongs to another registrable domain. */
  from?: string;
}

/**
 * The URL that owns a content, usually the first one that was fetched with it. Other URLs with the same content
 * become its aliases.
 */
export interface ContentOwner {
  url: CanonicalUrl;
  fetchedAt: number;
  payloadDigest: string;
}

/** A sitemap or feed says that a page has changed at `modifiedAt`. */
export interface ChangeHint {
  fingerprint: bigint;
  modifiedAt: number;
  /** True if the page is to be visited soon, because the hints of its site have been right. */
  isTrusted: boolean;
}

/** A page whose URL redirects to another URL, which has not been fetched yet and gets the history of the page. */
export interface MovedPage {
  to: bigint;
  last: LastCapture;
}

export interface CrawlBatch extends SealedCaptures {
  results: UrlResult[];
  discovered: Discovered[];
  hosts: HostRow[];
  /** Maximum number of known URLs per host; further URLs are ignored. This limits every trap. */
  maxUrlsPerHost: number;
  /** Number of hosts that a domain may have. Further hosts are stored but held back. If absent, there is no limit. */
  hostBudget?: HostBudget;
  /** The domains that link to each linked domain. A name may be listed twice. */
  domainLinks?: ReadonlyMap<string, Iterable<string>>;
  contents: Map<string, ContentOwner>;
  /** For each content digest, the URL that stops being the owner of this content. */
  released?: Map<string, CanonicalUrl>;
  /** Length of `seen.log` in bytes; `seenCheck` is the CRC-32 of these bytes (see SeenMark in seen-log.ts). */
  seenBytes: number;
  seenCheck?: number | undefined;
  /** Number of stored page sketches; `SKETCHES_LOST` while they are being rebuilt. */
  sketches: number;
  findings?: FindingsBatch;
  hints?: readonly ChangeHint[];
  moved?: readonly MovedPage[];
  /** The price of visits as text (schedule/revisit-schedule.ts); if absent, the stored text is kept. */
  schedule?: string | undefined;
  /** Clock time of the commit; if absent, no time is stored. */
  committedAt?: number;
}

/** Value of `sketches` while the sketches on disk do not belong to this state. */
export const SKETCHES_LOST = -1;

/** The sketch entry for the content of a URL. */
export interface SketchEntry {
  entry: number;
  /** False if the sketch entry was made for another URL with the same content. */
  isOwn: boolean;
}

/** The marks of a commit: the valid lengths of the files next to the database. */
export type CommitMarks = Pick<CrawlBatch, 'warc' | 'journal' | 'seenBytes' | 'seenCheck' | 'sketches'>;

export interface CommitReport {
  /** Newly discovered and reopened URLs, which are now ready. */
  added: Discovered[];
}

export interface CrawlCounts {
  hosts: number;
  parked: number;
  ready: number;
  done: number;
  refused: number;
  failed: number;
}

/** Number of URLs whose result has this reason. */
export interface ReasonCount {
  reason: UrlReason;
  count: number;
}

/**
 * A reason and the number of URLs that were refused or failed because of it, or of hosts that are parked because of
 * it.
 */
export type Problem = { count: number } & (
  | { reason: UrlReason; parked?: never }
  | { parked: ParkedReason; reason?: never }
);

export interface CrawlState extends CrawlKnowledgeStore {
  /** Returns hosts that have ready URLs, for display. */
  hostsWithWork(limit?: number): Promise<HostRow[]>;
  /**
   * Returns hosts of a front queue that may have ready URLs and are not parked. They are in order of discovery,
   * starting after the host `after`; the empty string starts at the first host.
   */
  frontHosts(front: number, after: string, limit: number): Promise<HostRow[]>;
  /**
   * Returns parked hosts with work whose parking ends after `after` and not later than `until`, the earliest first.
   */
  parkedHosts(after: number, until: number, limit: number): Promise<HostRow[]>;
  /** Returns the earliest time after `after` at which the parking of a host with work ends; null if there is none. */
  nextParkedUntil(after: number): Promise<number | null>;
  /** Reports that a host seems to have no ready URL left. The next commit checks this and stores it. */
  drained(origin: string): void;
  host(origin: string): Promise<HostRow | null>;
  /** Returns the registrable domain with this name; null if no host of it is known. */
  domain(name: string): Promise<DomainRow | null>;
  /**
   * Returns domains with held-back hosts, each with one of these hosts. Domains with the most held-back hosts come
   * first.
   */
  domainsHeldBack(limit: number): Promise<{ domain: DomainRow; example: string }[]>;
  /** Admits held-back hosts that now fit into the budget of their domain; returns the number of these hosts. */
  admitHosts(hostBudget: HostBudget): Promise<number>;
  /**
   * Sets the key that identifies the URL rules of this crawl (`keyOfPlan`). If the last crawl had another key, its
   * decisions about URLs no longer count, and the URLs that its rules refused become ready: the next visit decides
   * about them again, and needs no request if the rules still refuse them.
   */
  useRules(key: string): Promise<void>;
  /** Returns ready URLs of a host, the most relevant first; with equal relevance by depth and order of discovery. */
  readyUrls(origin: string, limit: number): Promise<ReadyUrl[]>;
  /** Returns the URL with this fingerprint; null if its discovery is not committed. */
  urlOf(fingerprint: bigint): Promise<CanonicalUrl | null>;
  contentOwner(digest: string): Promise<ContentOwner | null>;
  /** Returns data about the last response of a URL; null if it never got one. */
  lastCapture(fingerprint: bigint): Promise<LastCapture | null>;
  /** Makes URLs ready that are due for a revisit, the longest overdue first. */
  wakeDue(now: number, limit: number): Promise<Woken>;
  /** Makes known URLs ready at once, whatever their last result was. Unknown and ready URLs are skipped. */
  wake(fingerprints: readonly bigint[]): Promise<Woken>;
  /**
   * Makes all known URLs of these hosts ready at once, except removed ones. The last responses are kept, so an
   * unchanged page costs one conditional request. A host is no longer parked, unless its own delay between requests
   * is the reason.
   */
  wakeHosts(origins: readonly string[]): Promise<Woken>;
  commit(batch: CrawlBatch): Promise<CommitReport>;
  /** Stores the time of a host's next request at once, so that a crash before the next commit does not lose it. */
  pause(origin: string, nextFetchAt: number): Promise<void>;
  /** Ends the parking of all hosts that were parked for this failure. */
  unparkFailed(code: HostFailure['code']): Promise<void>;
  /** Returns the clock time of the last commit; null if unknown. */
  committedAt(): Promise<number | null>;
  /** Shifts all stored wait times after the machine's clock was set; `now` is the new clock time. */
  moveTimes(byMs: number, now: number): Promise<void>;
  /** Returns the marks of the last commit; null before the first. */
  marks(): Promise<CommitMarks | null>;
  /** Returns the price of visits as the last commit stored it; null if none did. */
  schedule(): Promise<string | null>;
  /** Replaces all sketch entries and the number of sketches in one commit. */
  replaceSketches(entries: ReadonlyMap<bigint, SketchEntry>, count: number): Promise<void>;
  /** Returns the fingerprints of known URLs in ascending order, starting after `after`; null starts at the first. */
  fingerprints(after: bigint | null, limit: number): Promise<bigint[]>;
  counts(): Promise<CrawlCounts>;
  /**
   * Returns the number of fetched URLs by the reason of their result or of a later verdict, the most frequent first.
   */
  answers(): Promise<ReasonCount[]>;
  /**
   * Returns the reasons why URLs were refused or failed and hosts were parked, with their counts, the most frequent
   * first.
   */
  problems(limit: number): Promise<Problem[]>;
  close(): void;
}

const FINGERPRINTS_PAGE = 65_536;

/** Yields the fingerprints of all URLs in batches, to rebuild `seen.log`. */
export async function* fingerprintPages(state: CrawlState): AsyncGenerator<bigint[]> {
  let after: bigint | null = null;
  for (;;) {
    const page: bigint[] = await state.fingerprints(after, FINGERPRINTS_PAGE);
    if (page.length > 0) yield page;
    if (page.length < FINGERPRINTS_PAGE) return;
    after = page.at(-1)!;
  }
}
