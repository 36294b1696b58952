/**
 * Knowledge about hosts and pages that a crawl collects:
 *
 *   notes      about a host: its traps, its response for missing pages, the host it mirrors
 *   verdicts   about a URL that is not a document of its own: its document, or why it is not a page
 *   sketches   the sketch entry of a page, so that two known pages can be compared
 *   claims     canonical links that wait until their target has been fetched
 *
 * It is part of the crawl state, and committed together with the records that it is about. pending-state.ts has
 * what is not committed yet.
 */
import type { AliasRecord, GoneRecord } from '../../journal/mod.ts';
import type { CanonicalUrl } from '../../url/mod.ts';
import type { UrlState } from './crawl-state.ts';
import type { UrlReason } from './reasons.ts';

export type NoteKind = 'traps' | 'missing-page' | 'mirror' | 'changes';

export interface HostNote {
  origin: string;
  kind: NoteKind;
  /** The content of the note, as JSON. */
  value: string;
  notedAt: number;
}

/**
 * Reason why a URL is not a document. With `soft 404` and `parked`, the URL is not a page and `of` is null.
 * With any other kind, the URL is an alias of `of`. Only earlier versions wrote `near-duplicate`.
 */
export type VerdictKind =
  | 'redirect'
  | 'duplicate'
  | 'near-duplicate'
  | 'canonical'
  | 'mirror'
  | 'soft 404'
  | 'parked';

export interface IdentityVerdict {
  url: CanonicalUrl;
  kind: VerdictKind;
  of: CanonicalUrl | null;
}

/** The page `url` names `target` as its canonical form. */
export interface CanonicalClaim {
  url: CanonicalUrl;
  target: CanonicalUrl;
}

export interface FindingsBatch {
  notes: Map<string, HostNote>;
  /** For each URL, given by its fingerprint, its verdict; null means that the URL is a document of its own. */
  verdicts: Map<bigint, IdentityVerdict | null>;
  sketches: Map<bigint, number>;
  /**
   * For each claiming URL, given by its fingerprint, its canonical claim; null means that the claim is settled.
   */
  claims: Map<bigint, CanonicalClaim | null>;
  /** Fingerprints of refused URLs that become ready again. */
  reopened: Set<bigint>;
}

/** The committed outcome of a URL. */
export interface Outcome {
  state: UrlState;
  reason: UrlReason;
  verdict: VerdictKind | null;
}

/** Reads the committed knowledge about hosts and pages. */
export interface CrawlKnowledgeStore {
  /** Returns the notes of these hosts. Hosts without a note are left out. */
  notesOf(origins: Iterable<string>, kind: NoteKind): Promise<HostNote[]>;
  notes(kind: NoteKind): Promise<HostNote[]>;
  /** Returns the sketch entries of these URLs. URLs without an entry are left out. */
  sketchesOf(fingerprints: Iterable<bigint>): Promise<Map<bigint, number>>;
  /**
   * Returns unsettled canonical claims, ordered by the fingerprint of their URL, starting after `after`; null starts
   * at the first.
   */
  claims(after: bigint | null, limit: number): Promise<CanonicalClaim[]>;
  /** Returns the outcomes of these URLs. Unknown URLs are left out. */
  outcomesOf(fingerprints: Iterable<bigint>): Promise<Map<bigint, Outcome>>;
  /** Returns the aliases of a document. */
  namesOf(url: CanonicalUrl): Promise<IdentityVerdict[]>;
  verdictOf(url: CanonicalUrl): Promise<IdentityVerdict | null>;
  /**
   * Returns all verdicts, ordered by the fingerprint of their URL, starting after `after`; null starts at the first.
   */
  verdicts(after: bigint | null, limit: number): Promise<IdentityVerdict[]>;
  /** Returns the number of URLs by type of verdict, the most frequent first. */
  verdictCounts(): Promise<{ kind: VerdictKind; count: number }[]>;
}

/** The journal record for a visited URL: its page, an alias or gone record, or none (`drop`). */
export type JournalledAs = 'page' | 'drop' | AliasRecord | GoneRecord;

/** Converts a verdict to a journal record. */
export function recordOfVerdict(
  { url, kind, of }: IdentityVerdict,
  fetchedAt: number,
): AliasRecord | GoneRecord {
  if (kind === 'soft 404' || kind === 'parked') {
    return { kind: 'gone', url, fetchedAt, status: 200, reason: kind };
  }
  return { kind: 'alias', url, fetchedAt, of: of!, reason: kind };
}

/** Derives the verdict on a URL from its journal record; null if the URL is a document of its own. */
export function verdictIn(record: JournalledAs): IdentityVerdict | null {
  if (typeof record === 'string') return null;
  const { url } = record;
  if (record.kind === 'alias') return { url, kind: record.reason, of: record.of };
  return record.reason ? { url, kind: record.reason, of: null } : null;
}
