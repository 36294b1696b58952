/**
 * The whole life of a URL, from the files of a data directory: what the rules decide, what the crawl did with
 * it, to which document it belongs, and what the index has of this document. All facts are data; `report.ts`
 * describes them in English.
 *
 *   URL -> rules -> removals -> crawl.db, robots.txt -> crawl.log, archive -> links, ranks -> index -> query
 *
 * Every part may be missing: a URL that was never linked has a decision of the rules and nothing else.
 */
import type { IdentityVerdict, LastCapture, Outcome } from '../../crawl/mod.ts';
import type { InspectedUrl, Searcher } from '../../query/mod.ts';
import type { ScoreBreakdown } from '../../scoring/mod.ts';
import type { CanonicalUrl } from '../../url/mod.ts';
import type { RemovalRule } from '../removals/mod.ts';
import type { RobotsReport } from '../robots-report.ts';
import type { Config } from '../settings/mod.ts';
import type { UrlDecision } from '../url-decision.ts';

export interface Inspection {
  given: string;
  url: CanonicalUrl;
  decision: UrlDecision;
  /** The rule that removes the URL, as the operator wrote it; null if it is not removed. */
  removedBy: string | null;
  /** Null if the data directory has no crawl state. */
  crawl: CrawlFacts | null;
  visits: RecordedVisit[];
  links: LinkFacts | null;
  index: IndexFacts;
  query: QueryFacts | null;
  cause: Cause;
}

export interface CrawlFacts {
  /** The state and the outcome of the last visit; null if the crawl does not know the URL. */
  outcome: Outcome | null;
  /** The data of the last response that the next visit needs; null if there was no response. */
  last: LastCapture | null;
  /** The steps from this URL to its document; empty if it is a document of its own. */
  chain: IdentityVerdict[];
  /** The other URLs of the same document. */
  aliases: IdentityVerdict[];
  host: HostFacts | null;
  robots: RobotsFacts;
}

export interface HostFacts {
  origin: string;
  /** The reason why the host has no request in flight, such as `ready` or `parked for 60 s: timeout`. */
  state: string;
  delayMs: number;
  /** Number of requested URLs (`fetched`), and how many of them were documents of their own (`useful`). */
  fetched: number;
  useful: number;
}

/** `overridden`: robots.txt is ignored, because the setting `crawl.robotsOverrides` lists the host. */
export type RobotsFacts =
  | { kind: 'unknown' | 'overridden' | 'none' }
  | { kind: 'verdict'; report: RobotsReport; expiresAt: number };

/** A visit of the URL, from the crawl log, from the archive or from both. */
export interface RecordedVisit {
  time: number;
  status: number;
  /**
   * The entry in the crawl log: the result, the size of the body in bytes, and the time of the response; null
   * if there is none.
   */
  log: { state: string; reason: string; bytes: number; ms: number } | null;
  /** The record in the archive; `at` is its time in UTC, 14 digits. */
  record: { at: string; file: string; offset: number; length: number; type: string } | null;
}

export interface LinkFacts {
  /** `count` is the number of pages that link to the document; the best of these pages follow. */
  count: number;
  pages: { url: CanonicalUrl; rank: number }[];
  anchorTexts: { text: string; weight: number }[];
  /** Rank of the page, relative to the average page; 0 if unknown. */
  rank: number;
  host: { rank: number; inHosts: number; inDomains: number; trust: number; farm: number } | null;
}

export interface IndexFacts extends InspectedUrl {
  /** Journal files that are not indexed yet; in a cluster, batches of captures. */
  waitingFiles: number;
}

export interface QueryFacts {
  query: string;
  total: number;
  /** The place of the URL in the list, from 1 on; null if it is not among the first `listed` results. */
  place: number | null;
  listed: number;
  /** The place of the result that lists the URL as its near duplicate. */
  similarTo: number | null;
  /** The score of the document; null if the query does not score it. */
  own: ScoreBreakdown | null;
  /** The reason why the document has no score; null if it has one. */
  noScore: NoScore | null;
  /** The result with which the URL is compared; null if the URL is the first result. */
  above: { place: number; url: string; breakdown: ScoreBreakdown } | null;
}

/**
 * `not-a-candidate`: the document matches the query, but many other documents match better, so its score is not
 * computed. `no-match`: `missing` has the query words that the compared result has and this document lacks.
 */
export type NoScore = { code: 'not-in-index' | 'not-a-candidate' } | { code: 'no-match'; missing: string[] };

/** The sources of the facts: a data directory, or the services and search nodes of a cluster. */
export interface InspectionSources {
  config: Config;
  /** The rules of removed pages. */
  removals(): Promise<readonly RemovalRule[]>;
  crawl(url: CanonicalUrl): Promise<CrawlFacts | null>;
  /** The visits of the URL, newest first. */
  visits(url: CanonicalUrl): Promise<RecordedVisit[]>;
  links(url: CanonicalUrl): Promise<LinkFacts | null>;
  index(url: CanonicalUrl): Promise<IndexFacts>;
  /** Calls `use` with a searcher; returns null if there is no index. */
  search<T>(use: (searcher: Searcher) => Promise<T>): Promise<T | null>;
}

/** The reason why the URL is, or is not, a document that searches find. */
export type Cause =
  | { code: 'found' }
  | { code: 'removed' }
  | { code: 'rule'; rule: string }
  | { code: 'never-linked' }
  | { code: 'robots'; line: number | null }
  | { code: 'queued'; why: string }
  | { code: 'refused' | 'failed' | 'not-a-page'; why: string }
  | { code: 'alias'; of: CanonicalUrl; kind: string; isFound: boolean }
  | { code: 'not-indexed-yet' }
  | { code: 'not-in-index' };
