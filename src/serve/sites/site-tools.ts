/** The data and actions of the pages for site owners. `cli/` implements them with the files of the engine and the network. */

/** The behaviour of the crawler with the current settings. */
export interface CrawlerFacts {
  userAgent: string;
  delayMs: number;
  delayFactor: number;
  /** The number of host patterns of the operator for which the crawler sends credentials. */
  credentialHosts: number;
  /** The number of host patterns of the operator whose robots.txt is ignored. */
  overriddenHosts: number;
}

/**
 * The behaviour of the crawler on a host. Anybody may read it: it contains only facts that visitors of the host or of the
 * search page can see.
 */
export interface HostReport {
  host: string;
  isKnown: boolean;
  /** True if nothing of the host is crawled or found, because its owner or the operator asked for this. */
  isRemoved: boolean;
  /** The decision of robots.txt about the start page, with the reason. */
  robots: string;
  /** True if the operator ignores robots.txt of this host. */
  isOverridden: boolean;
  sendsCredentials: boolean;
  /** The delay between two requests, with its cause. */
  delay: string;
  documents: number;
  /** The last day with a request, `2026-01-02`; empty if unknown. */
  lastDay: string;
}

/** The pages of a site in the index, its queue and its errors, for its owner. */
export interface SiteCoverage {
  documents: number;
  queued: number;
  fetched: number;
  errors: { time: string; url: string; reason: string }[];
}

export interface Submission {
  url: string;
  isAccepted: boolean;
  /** A sentence about the place in the queue, or about the rule that excludes the URL. */
  note: string;
}

interface OptOut {
  host: string;
  reason: string;
  at: number;
}

export type Proof = 'file' | 'meta' | 'dns';

/** Methods reject with a UsageError if the request makes no sense. */
export interface SiteTools {
  facts: CrawlerFacts;
  /** True if owners may submit URLs, prove that a site is theirs, and manage it. */
  hasOwners: boolean;
  lookUp(host: string): Promise<HostReport>;
  /** Looks for the token at the site. Returns where it is; null if it is nowhere. */
  findProof(host: string, token: string): Promise<Proof | null>;
  /** Removes a host at once. The caller has checked that `who` owns it. */
  removeHost(host: string, who: string): Promise<void>;
  /** Stores a request to remove a host, for the operator. */
  requestOptOut(host: string, reason: string): Promise<void>;
  listOptOuts(): Promise<OptOut[]>;
  /** Removes the host, or only drops the request. */
  decideOptOut(host: string, isAccepted: boolean, who: string): Promise<void>;
  submit(urls: readonly string[], who: string): Promise<Submission[]>;
  coverage(host: string): Promise<SiteCoverage>;
  /** Removes pages of a host that `who` owns. `target` is a URL, or the beginning of URLs with a star at its end. */
  removePages(host: string, target: string, who: string): Promise<void>;
  /** Returns true if the key file of an IndexNow client is at the host. */
  hasKeyFile(keyLocation: string, key: string): Promise<boolean>;
}
