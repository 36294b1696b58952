/**
 * Knowledge about hosts and pages that a crawl collects until the next commit:
 *
 *   notes      about a host: its traps, its response for missing pages, the host it mirrors
 *   verdicts   about a URL that is not a document of its own: its document, or why it is not a page
 *   sketches   the sketch entry of a page, so that two known pages can be compared
 *   claims     canonical links that wait until their target has been fetched
 *
 * Reads see pending values as if they were committed. Values kept after `take` belong to the next commit, so
 * findings are committed together with the records that they are about.
 */
import type { AliasRecord, GoneRecord } from '../../journal/mod.ts';
import { type CanonicalUrl, fingerprint } from '../../url/mod.ts';
import type { UrlState } from '../state/mod.ts';

export type NoteKind = 'traps' | 'missing-page' | 'mirror';

export interface HostNote {
  origin: string;
  kind: NoteKind;
  /** JSON. */
  value: string;
  notedAt: number;
}

/** `soft 404` and `parked`: not a page, and `of` is null. All others: an alias of `of`. */
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

/** `url` names `target` as its canonical form. */
export interface CanonicalClaim {
  url: CanonicalUrl;
  target: CanonicalUrl;
}

export interface FindingsBatch {
  notes: Map<string, HostNote>;
  /** By fingerprint; null means that the URL is a document of its own. */
  verdicts: Map<bigint, IdentityVerdict | null>;
  sketches: Map<bigint, number>;
  /** By the fingerprint of the claiming URL; null means that the claim is settled. */
  claims: Map<bigint, CanonicalClaim | null>;
  /** Refused URLs that are to be fetched after all. */
  reopened: Set<bigint>;
}

/** The committed outcome of a URL. */
export interface Outcome {
  state: UrlState;
  reason: string;
  verdict: VerdictKind | null;
}

/** The committed findings. */
export interface CrawlKnowledgeStore {
  note(origin: string, kind: NoteKind): HostNote | null;
  notes(kind: NoteKind): HostNote[];
  sketchOf(fingerprint: bigint): number | null;
  claims(): CanonicalClaim[];
  outcomeOf(fingerprint: bigint): Outcome | null;
  /** Returns the aliases of a document. */
  namesOf(url: CanonicalUrl): IdentityVerdict[];
  verdictOf(url: CanonicalUrl): IdentityVerdict | null;
  /** Number of URLs per verdict, most frequent first. */
  verdictCounts(): { kind: VerdictKind; count: number }[];
}

/** The journal record of a URL: its page, or a record in place of it. */
type JournalledAs = 'page' | 'drop' | AliasRecord | GoneRecord;

export class CrawlKnowledge {
  readonly store: CrawlKnowledgeStore;
  #pending = emptyBatch();
  /** The last batch taken; it may not be committed yet. */
  #taken = emptyBatch();

  constructor(store: CrawlKnowledgeStore) {
    this.store = store;
  }

  get hasPending(): boolean {
    return Object.values(this.#pending).some(({ size }) => size > 0);
  }

  note(origin: string, kind: NoteKind): HostNote | null {
    const key = noteKey(origin, kind);
    return this.#pending.notes.get(key) ?? this.#taken.notes.get(key) ?? this.store.note(origin, kind);
  }

  keepNote(note: HostNote): void {
    this.#pending.notes.set(noteKey(note.origin, note.kind), note);
  }

  sketchOf(key: bigint): number | null {
    const recent = this.#pending.sketches.get(key) ?? this.#taken.sketches.get(key);
    return recent ?? this.store.sketchOf(key);
  }

  keepSketch(key: bigint, entry: number): void {
    this.#pending.sketches.set(key, entry);
  }

  openClaim(claim: CanonicalClaim): void {
    this.#pending.claims.set(fingerprint(claim.url), claim);
  }

  settleClaim(url: CanonicalUrl): void {
    this.#pending.claims.set(fingerprint(url), null);
  }

  reopen(key: bigint): void {
    this.#pending.reopened.add(key);
  }

  /** Derives the verdict on a URL from its journal record. */
  keepVerdict(key: bigint, record: JournalledAs): void {
    this.#pending.verdicts.set(key, verdictIn(record));
  }

  /** Returns everything kept since the last call. */
  take(): FindingsBatch {
    this.#taken = this.#pending;
    this.#pending = emptyBatch();
    return this.#taken;
  }
}

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

function verdictIn(record: JournalledAs): IdentityVerdict | null {
  if (typeof record === 'string') return null;
  const { url } = record;
  if (record.kind === 'alias') return { url, kind: record.reason, of: record.of };
  return record.reason ? { url, kind: record.reason, of: null } : null;
}

function noteKey(origin: string, kind: NoteKind): string {
  return `${kind} ${origin}`;
}

function emptyBatch(): FindingsBatch {
  return {
    notes: new Map(),
    verdicts: new Map(),
    sketches: new Map(),
    claims: new Map(),
    reopened: new Set(),
  };
}
