/**
 * What a crawl remembers: URLs, hosts, contents, and how far the archive was written.
 *
 * A URL is `ready` from the commit that discovered it, until the commit of its result makes it
 *
 *   done      fetched; `status` says what came
 *   refused   we chose not to: robots.txt, a URL rule, a trap, an unwanted type
 *   failed    tried often enough; `reason` says what went wrong
 *
 * A URL that was fetched may become ready again when it is due, whatever came of it (`wakeDue`).
 *
 * A lease is only in memory: whoever dies without a commit leaves the URL ready. Everything in a
 * batch becomes true at once, together with the marks up to which archive and journal are valid.
 * So after a crash the three agree, whatever the moment: what lies behind the marks is cut, and
 * the URLs it came from are still ready.
 */
import type { JournalMark, WarcMark } from '../archive/mod.ts';
import type { CanonicalUrl } from '../url/mod.ts';
import type { FindingsBatch, FindingsStore } from './findings.ts';
import type { SiteIcon } from './site-icon.ts';

export type UrlState = 'ready' | 'done' | 'refused' | 'failed';
export type HostId = number;

export interface ReadyUrl {
  url: CanonicalUrl;
  fingerprint: bigint;
  depth: number;
  attempts: number;
}

export interface HostRow {
  id: HostId;
  origin: string;
  /** The earliest polite moment for the next request, as known at the last commit. */
  nextFetchAt: number;
  /** What lay between requests last time; at least the configured delay. */
  delayMs: number;
  robots: RobotsRow | null;
  /** Failures in a row; any answer sets it back to 0. */
  failures: number;
  /** What else than its delay the host waits for until `nextFetchAt`; empty or absent if nothing. */
  waitsFor?: string;
  /** Why the host is set aside until `nextFetchAt`; empty when it is not. */
  setAside: string;
  /** The IP address that answered last, or was looked up to ask it; empty until then. */
  address: string;
  /** How often other hosts have led to new URLs of it, each other host once in a commit. */
  links: number;
  /** Answers so far, and those of them that were pages of their own: what its budget is measured by. */
  fetched: number;
  useful: number;
  /** Its icon, as far as it was looked for (site-icon.ts). */
  icon?: SiteIcon;
}

export interface RobotsRow {
  /** The body that was served, or empty: parsing it gives the rules. */
  body: Uint8Array;
  /** `rules` when robots.txt was served, `allow-all` after a 4xx. There is no row after a 5xx or without an answer. */
  kind: 'rules' | 'allow-all';
  expiresAt: number;
}

export interface UrlResult {
  fingerprint: bigint;
  state: UrlState;
  attempts: number;
  /** HTTP status, 0 when there was no answer. */
  status: number;
  reason: string;
  fetchedAt: number;
  /** What to remember of the answer; what was remembered stays if it is absent. */
  last?: LastCapture;
}

/** What is remembered of the last answer of a URL, for when it is asked again (revisits.ts). */
export interface LastCapture {
  /** What the answer said, in short: an answer that says the same has not changed. */
  said: string;
  /** The validators, for the next request; empty where there were none or they may not be used. */
  etag: string;
  lastModified: string;
  /** X-Robots-Tag, which may change while the body does not. */
  robotsTag: string;
  /** Of the body, and of the payload as it came; empty when it was no page. */
  digest: string;
  payloadDigest: string;
  /** The time of the capture that holds the payload. */
  archivedAt: number;
  /** The journal has it as a page that may be found. */
  isDocument: boolean;
  /** Its entry among the sketches, if it has one. */
  sketch: number | null;
  /** How often in a row it was gone. */
  goneCount: number;
  intervalMs: number;
  /** When to ask again; 0 for never, and while it is ready. */
  dueAt: number;
}

/** URLs that have become ready because they are due. */
export interface Woken {
  /** Of the hosts that got work. */
  origins: string[];
  count: number;
}

/** A URL that was not known before. */
export interface Discovered {
  url: CanonicalUrl;
  fingerprint: bigint;
  depth: number;
  /** The origin of the page that links to it, if that is another one. */
  from?: string;
}

/** The first URL under which a content was seen. */
export interface ContentOwner {
  url: CanonicalUrl;
  fetchedAt: number;
  payloadDigest: string;
}

export interface CrawlBatch {
  results: UrlResult[];
  discovered: Discovered[];
  hosts: Omit<HostRow, 'id'>[];
  /** A host that knows this many URLs gets no more: the end of every trap. */
  maxUrlsPerHost: number;
  contents: Map<string, ContentOwner>;
  /** Which URL has a content no longer, by its digest. */
  released?: Map<string, CanonicalUrl>;
  warc: WarcMark;
  journal: JournalMark;
  /** Length of the log of seen URLs. */
  seenBytes: number;
  /** How many sketches of pages are remembered. */
  sketches: number;
  findings?: FindingsBatch;
}

/** How far the files beside the state were written at the last commit. */
export type CommitMarks = Pick<CrawlBatch, 'warc' | 'journal' | 'seenBytes' | 'sketches'>;

export interface CommitReport {
  /** Those of the discovered and reopened URLs that are ready now. */
  added: Discovered[];
}

export interface CrawlCounts {
  hosts: number;
  setAside: number;
  ready: number;
  done: number;
  refused: number;
  failed: number;
}

export interface Problem {
  reason: string;
  count: number;
}

export interface CrawlState {
  readonly findings: FindingsStore;
  /** Hosts that have ready URLs, for people. */
  hostsWithWork(limit?: number): Promise<HostRow[]>;
  /** Hosts of a front queue that may have ready URLs and are not set aside, in the order of discovery. */
  frontHosts(front: number, after: HostId, limit: number): Promise<HostRow[]>;
  /** Hosts with work that are set aside to a moment after `after` and not after `until`, the earliest first. */
  setAsideHosts(after: number, until: number, limit: number): Promise<HostRow[]>;
  /** The earliest such moment; null when there is none. */
  nextSetAsideAt(after: number): Promise<number | null>;
  /** A host seems to have no ready URL left; looked at again, and remembered, with the next commit. */
  drained(host: HostId): void;
  host(origin: string): Promise<HostRow | null>;
  /** Where the icon of the site is, an address or a `data:` URL; null if none was found. */
  iconOf(origin: string): string | null;
  /** Ready URLs of a host in the order in which they should be fetched. */
  readyUrls(host: HostId, limit: number): Promise<ReadyUrl[]>;
  /** The URL with this fingerprint; null before its discovery is committed. */
  urlOf(fingerprint: bigint): CanonicalUrl | null;
  contentOwner(digest: string): Promise<ContentOwner | null>;
  /** Null when the URL was never answered. */
  lastCapture(fingerprint: bigint): LastCapture | null;
  /** Makes URLs ready whose moment has come, those that are due longest first. */
  wakeDue(now: number, limit: number): Promise<Woken>;
  commit(batch: CrawlBatch): Promise<CommitReport>;
  /** A host asked for a pause: remembered at once, so that a crash in the next moment does not forget it. */
  pause(origin: string, nextFetchAt: number): void;
  /** Null before the first commit. */
  marks(): Promise<CommitMarks | null>;
  /** The fingerprints of all URLs, for when the log of seen URLs is lost. */
  fingerprints(): Iterable<bigint>;
  counts(): Promise<CrawlCounts>;
  /** What fetched URLs turned out to be, by the reason of their result or a later verdict, most frequent first. */
  answers(): Promise<Problem[]>;
  /** Why URLs were refused or failed and hosts set aside, most frequent first. */
  problems(limit: number): Promise<Problem[]>;
  close(): void;
}
