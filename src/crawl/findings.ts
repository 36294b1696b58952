/**
 * What a crawl has found out about hosts and pages beyond their addresses, gathered until the next commit:
 *
 *   notes      of a host: its traps, what it shows for a missing page, which host it mirrors
 *   verdicts   of a URL that is no document of its own: whose name it is, or why it is no page
 *   sketches   where the sketch of a page lies, so that two known pages can be compared
 *   claims     canonical links that wait until the page they name has been fetched
 *
 * A reader sees what was kept a moment ago as if it were committed. What is kept after `take` belongs to the
 * next commit, so findings become true together with the records that they are about.
 */
import type { AliasRecord, GoneRecord } from '../archive/mod.ts';
import { type CanonicalUrl, fingerprint } from '../url/mod.ts';
import type { UrlState } from './crawl-state.ts';

export type NoteKind = 'traps' | 'missing-page' | 'mirror';

export interface HostNote {
  origin: string;
  kind: NoteKind;
  /** JSON. */
  value: string;
  notedAt: number;
}

/** `redirect` and the like: another name of `of`. `soft 404` and `parked`: no page, and `of` is null. */
export type VerdictKind =
  | 'redirect'
  | 'duplicate'
  | 'near-duplicate'
  | 'canonical'
  | 'mirror'
  | 'soft 404'
  | 'parked';

export interface Verdict {
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
  /** By fingerprint; null: the URL stands for itself. */
  verdicts: Map<bigint, Verdict | null>;
  sketches: Map<bigint, number>;
  /** By the fingerprint of the URL that makes the claim; null: it is settled. */
  claims: Map<bigint, CanonicalClaim | null>;
  /** Refused URLs that are to be fetched after all. */
  reopened: Set<bigint>;
}

/** What became of a URL, as far as it is committed. */
export interface Outcome {
  state: UrlState;
  reason: string;
  verdict: VerdictKind | null;
}

/** The committed findings. */
export interface FindingsStore {
  note(origin: string, kind: NoteKind): HostNote | null;
  notes(kind: NoteKind): HostNote[];
  sketchOf(fingerprint: bigint): number | null;
  claims(): CanonicalClaim[];
  outcomeOf(fingerprint: bigint): Outcome | null;
  /** The other names of a document. */
  namesOf(url: CanonicalUrl): Verdict[];
  verdictOf(url: CanonicalUrl): Verdict | null;
  /** How many URLs there are of each verdict, most frequent first. */
  verdictCounts(): { kind: VerdictKind; count: number }[];
}

/** A page, or one of the records in its place. */
export type JournalledAs = 'page' | 'drop' | AliasRecord | GoneRecord;

export class Findings {
  readonly store: FindingsStore;
  #pending = emptyBatch();
  /** What was taken last; it may not be committed yet. */
  #taken = emptyBatch();

  constructor(store: FindingsStore) {
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

  /** What the journal says of a URL: its own page, another's name, or no page. */
  keepVerdict(key: bigint, record: JournalledAs): void {
    this.#pending.verdicts.set(key, verdictIn(record));
  }

  /** Everything since the last time. */
  take(): FindingsBatch {
    this.#taken = this.#pending;
    this.#pending = emptyBatch();
    return this.#taken;
  }
}

/** The journal's way to say it. */
export function recordOfVerdict({ url, kind, of }: Verdict, fetchedAt: number): AliasRecord | GoneRecord {
  if (kind === 'soft 404' || kind === 'parked') {
    return { kind: 'gone', url, fetchedAt, status: 200, reason: kind };
  }
  return { kind: 'alias', url, fetchedAt, of: of!, reason: kind };
}

function verdictIn(record: JournalledAs): Verdict | null {
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
