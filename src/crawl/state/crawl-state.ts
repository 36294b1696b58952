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
import type { CaptureMark } from './capture-store.ts';
import type { CrawlKnowledgeStore, FindingsBatch } from './crawl-knowledge.ts';
import type { HostFailure, ParkedReason, ResponseSummary, UrlReason, WaitReason } from './reasons.ts';
import type { SiteIcon } from './site-icon.ts';

export type UrlState = 'ready' | 'done' | 'refused' | 'failed';

/**
 * The owner of the hosts of a vnode (url/partition.ts). A state is opened for one owner, and every write carries it.
 * When hosts get another owner, the epoch increases, and writes with an earlier epoch are refused (`stale-epoch`): a
 * node that was cut off for a while cannot overwrite the work of its successor.
 */
export interface Owner {
  vnode: number;
  epoch: number;
}

/** The owner of all hosts in a crawl by one process. */
export const SOLE_OWNER: Owner = { vnode: 0, epoch: 1 };

/** The decision of the URL rules about a URL that may be fetched. */
export type FetchVerb = Exclude<UrlVerb, 'ignore'>;

export interface ReadyUrl {
  url: CanonicalUrl;
  fingerprint: bigint;
  depth: number;
  attempts: number;
  /** The decision at its discovery; null if there was none or the rules have changed since (`useRules`). */
  verb: FetchVerb | null;
}

export interface HostRow {
  origin: string;
  /** The earliest polite moment for the next request, as of the last commit. */
  nextFetchAt: number;
  /** The last politeness delay; at least the configured delay. */
  delayMs: number;
  robots: RobotsRow | null;
  /** Consecutive failures; any response resets it to 0. */
  failures: number;
  /** Any reason other than its delay for which the host waits until `nextFetchAt`. */
  waitReason: WaitReason | null;
  /** Why the host is parked until `nextFetchAt`; null if it is not parked. */
  parkedReason: ParkedReason | null;
  /** The IP address that responded last, or to which the host name was resolved; empty until then. */
  address: string;
  /**
   * How often hosts of other domains have linked to new URLs of this host; each linking host counts once per
   * commit.
   */
  links: number;
  /** Requested URLs, and how many of them were pages of their own; the host's budget depends on both. */
  fetched: number;
  useful: number;
  /** State of its icon, if one was looked for (site-icon.ts). */
  icon?: SiteIcon;
  /** True if the host budget of its registrable domain is used up (domains.ts); the frontier skips the host. */
  isHeldBack?: boolean;
}

/** A registrable domain, with counts over its hosts and the links to them. */
export interface DomainRow {
  name: string;
  /** Known hosts, and how many of them are admitted, that is, not held back. */
  hosts: number;
  admitted: number;
  /** Hosts with several useful pages (traps/domain-budget.ts). */
  provenHosts: number;
  /** Sums over its hosts. */
  fetched: number;
  useful: number;
  /** Estimated number of other domains that link to it. */
  linkingDomains: number;
}

/** Returns how many hosts a domain may have; `origin` is the new host to be admitted. */
export type HostBudget = (domain: DomainRow, origin?: string) => number;

export interface RobotsRow {
  /** The body as served, or empty. Parsing it gives the rules. */
  body: Uint8Array;
  /**
   * `rules` if robots.txt was served, `allow-all` after a 4xx. After a 5xx or without a response there is no
   * row.
   */
  kind: 'rules' | 'allow-all';
  expiresAt: number;
}

export interface UrlResult {
  fingerprint: bigint;
  state: UrlState;
  attempts: number;
  /** HTTP status, 0 if there was no response. */
  status: number;
  reason: UrlReason;
  fetchedAt: number;
  /** Data for the next revisit; if absent, the stored data stay. */
  last?: LastCapture;
}

/** Data kept from the last response of a URL, for its next revisit (revisits.ts). */
export interface LastCapture {
  summary: ResponseSummary;
  /** The validators for the next request; empty if there were none or they may not be used. */
  etag: string;
  lastModified: string;
  /** X-Robots-Tag, which may change while the body does not. */
  robotsTag: string;
  /** Digest of the body, and of the payload as received; empty if the response was not a page. */
  digest: string;
  payloadDigest: string;
  /** The time of the capture that holds the payload. */
  archivedAt: number;
  /** True if the journal has it as a searchable document. */
  isDocument: boolean;
  /** Its sketch entry, if it has one. */
  sketch: number | null;
  /** Number of consecutive responses that said the page is gone. */
  goneCount: number;
  intervalMs: number;
  /** When to fetch the URL again; 0 if never, and while the URL is ready. */
  dueAt: number;
}

/** URLs that have become ready because they are due. */
export interface Woken {
  /** Origins of the hosts that got work. */
  origins: string[];
  count: number;
}

/** A URL that was not known before. */
export interface Discovered {
  url: CanonicalUrl;
  fingerprint: bigint;
  depth: number;
  /** Absent if no rules have decided about it, for example because it was imported. */
  verb?: FetchVerb;
  /** The origin of the linking page, if it belongs to another registrable domain. */
  from?: string;
}

/** The URL that owns a content. Other URLs with the same content become its aliases. */
export interface ContentOwner {
  url: CanonicalUrl;
  fetchedAt: number;
  payloadDigest: string;
}

export interface CrawlBatch extends CaptureMark {
  results: UrlResult[];
  discovered: Discovered[];
  hosts: HostRow[];
  /** A host with this many known URLs gets no more, which limits every trap. */
  maxUrlsPerHost: number;
  /** Hosts beyond this budget are stored but held back; if absent, there is no limit. */
  hostBudget?: HostBudget;
  /** The linking domains of each linked domain; a name may be there twice. */
  domainLinks?: ReadonlyMap<string, Iterable<string>>;
  contents: Map<string, ContentOwner>;
  /** By content digest, the URL that stops being the owner of the content. */
  released?: Map<string, CanonicalUrl>;
  /** Length of the log of seen URLs, and the CRC-32 of its bytes: see SeenMark in seen-set.ts. */
  seenBytes: number;
  seenCheck?: number | undefined;
  /** Number of stored page sketches; `SKETCHES_LOST` while they are being rebuilt. */
  sketches: number;
  findings?: FindingsBatch;
  /** Clock time of the commit; not stored if absent. */
  committedAt?: number;
}

/** Replaces the number of sketches if the sketches on disk do not belong to this state. */
export const SKETCHES_LOST = -1;

/** The sketch entry with the content of a URL. */
export interface SketchEntry {
  entry: number;
  /** False if the entry belongs to another URL with the same content. */
  isOwn: boolean;
}

/** Lengths of the files next to the state at the last commit. */
export type CommitMarks = Pick<CrawlBatch, 'warc' | 'journal' | 'seenBytes' | 'seenCheck' | 'sketches'>;

export interface CommitReport {
  /** Discovered and reopened URLs that are now ready. */
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

/** How many URLs have a result with this reason. */
export interface ReasonCount {
  reason: UrlReason;
  count: number;
}

/** A reason, and the number of URLs that were refused or failed, or of hosts that are parked, because of it. */
export type Problem = { count: number } & (
  | { reason: UrlReason; parked?: never }
  | { parked: ParkedReason; reason?: never }
);

export interface CrawlState extends CrawlKnowledgeStore {
  /** Hosts that have ready URLs, for display. */
  hostsWithWork(limit?: number): Promise<HostRow[]>;
  /**
   * Hosts of a front queue that may have ready URLs and are not parked, in order of discovery, after the host
   * `after`; the empty string stands before the first host.
   */
  frontHosts(front: number, after: string, limit: number): Promise<HostRow[]>;
  /** Hosts with work that are parked until a moment after `after` and not after `until`, the earliest first. */
  parkedHosts(after: number, until: number, limit: number): Promise<HostRow[]>;
  /** Returns the earliest moment after `after` until which a host with work is parked; null if there is none. */
  nextParkedUntil(after: number): Promise<number | null>;
  /**
   * Reports that a host seems to have no ready URL left. The next commit verifies and stores that; until then the report
   * is only in memory.
   */
  drained(origin: string): void;
  host(origin: string): Promise<HostRow | null>;
  /** Returns the registrable domain with this name; null while none of its hosts is known. */
  domain(name: string): Promise<DomainRow | null>;
  /** Domains with held-back hosts, those with the most first, each with one such host. */
  domainsHeldBack(limit: number): Promise<{ domain: DomainRow; example: string }[]>;
  /** Admits held-back hosts that now fit the budget; returns how many. */
  admitHosts(hostBudget: HostBudget): Promise<number>;
  /**
   * Sets the key of the URL rules of this crawl (`keyOfPlan`). If the last crawl had another key, its decisions
   * about URLs no longer count.
   */
  useRules(key: string): Promise<void>;
  /** Ready URLs of a host in the order in which they should be fetched. */
  readyUrls(origin: string, limit: number): Promise<ReadyUrl[]>;
  /** Returns the URL with this fingerprint; null before its discovery is committed. */
  urlOf(fingerprint: bigint): Promise<CanonicalUrl | null>;
  contentOwner(digest: string): Promise<ContentOwner | null>;
  /** Null if the URL never got a response. */
  lastCapture(fingerprint: bigint): Promise<LastCapture | null>;
  /** Makes due URLs ready, those overdue longest first. */
  wakeDue(now: number, limit: number): Promise<Woken>;
  commit(batch: CrawlBatch): Promise<CommitReport>;
  /** Stores a host's pause at once, so that a crash before the next commit does not lose it. */
  pause(origin: string, nextFetchAt: number): Promise<void>;
  /** Makes hosts that are parked for this kind of failure available again now. */
  unparkFailed(code: HostFailure['code']): Promise<void>;
  /** Clock time of the last commit; null if unknown. */
  committedAt(): Promise<number | null>;
  /** Shifts all stored wait times after the clock was set; `now` is the new clock time. */
  moveTimes(byMs: number, now: number): Promise<void>;
  /** Null before the first commit. */
  marks(): Promise<CommitMarks | null>;
  /** Replaces all sketch entries and their number in one commit. */
  replaceSketches(entries: ReadonlyMap<bigint, SketchEntry>, count: number): Promise<void>;
  /** Fingerprints of known URLs in ascending order, after `after`; null stands before the first. */
  fingerprints(after: bigint | null, limit: number): Promise<bigint[]>;
  counts(): Promise<CrawlCounts>;
  /** Counts of fetched URLs by the reason of their result or a later verdict, most frequent first. */
  answers(): Promise<ReasonCount[]>;
  /** Counts of the reasons why URLs were refused or failed and hosts parked, most frequent first. */
  problems(limit: number): Promise<Problem[]>;
  close(): void;
}

const FINGERPRINTS_PAGE = 65_536;

/** Reads the fingerprints of all URLs in pages, to rebuild the log of seen URLs. */
export async function* fingerprintPages(state: CrawlState): AsyncGenerator<bigint[]> {
  let after: bigint | null = null;
  for (;;) {
    const page: bigint[] = await state.fingerprints(after, FINGERPRINTS_PAGE);
    if (page.length > 0) yield page;
    if (page.length < FINGERPRINTS_PAGE) return;
    after = page.at(-1)!;
  }
}
