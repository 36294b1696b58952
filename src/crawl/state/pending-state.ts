/**
 * The crawl state with the changes that are not committed yet. Reads see a pending value as if it were
 * committed; `take` moves all pending values to the next commit. Values that are stored after `take` belong to
 * the following commit. Therefore a finding is always committed together with the records that it is about.
 *
 *   keep*, claim*, release* -> pending -> take -> in the commit -> committed -> only in the state
 *
 * The crawl and imports have one each, for all of their parts: two overlays would not see each other's values.
 */
import { type CanonicalUrl, fingerprint } from '../../url/mod.ts';
import {
  type CanonicalClaim,
  type FindingsBatch,
  type HostNote,
  type JournalledAs,
  type NoteKind,
  verdictIn,
} from './crawl-knowledge.ts';
import type { ContentOwner, CrawlBatch, CrawlState } from './crawl-state.ts';

/** The fields of a commit that come from `PendingState`. */
type PendingBatch = Required<Pick<CrawlBatch, 'contents' | 'released' | 'findings'>>;

interface Overlay extends PendingBatch {
  /** The URLs that the state does not have yet. The key is the fingerprint of the URL. */
  urls: Map<bigint, CanonicalUrl>;
}

export class PendingState {
  readonly state: CrawlState;
  #pending = emptyOverlay();
  /** The values of a commit that is running; null if there is none. */
  #taken: Overlay | null = null;

  constructor(state: CrawlState) {
    this.state = state;
  }

  /**
   * True if there are new findings since the last `take`. Contents are not checked, because they are pending only
   * together with a result.
   */
  get hasPending(): boolean {
    return Object.values(this.#pending.findings).some(({ size }) => size > 0);
  }

  /** Returns the notes of these hosts. Hosts without a note are left out. */
  async notesOf(origins: readonly string[], kind: NoteKind): Promise<HostNote[]> {
    const found: HostNote[] = [];
    const rest = origins.filter((origin) => {
      const note = this.#findings(({ notes }) => notes.get(noteKey(origin, kind)));
      if (note) found.push(note);
      return !note;
    });
    return rest.length === 0 ? found : [...found, ...(await this.state.notesOf(rest, kind))];
  }

  keepNote(note: HostNote): void {
    this.#pending.findings.notes.set(noteKey(note.origin, note.kind), note);
  }

  async sketchOf(key: bigint): Promise<number | null> {
    return (await this.sketchesOf([key])).get(key) ?? null;
  }

  /** Returns the sketch entries of these URLs. URLs without an entry are left out. */
  async sketchesOf(keys: Iterable<bigint>): Promise<Map<bigint, number>> {
    const found = new Map<bigint, number>();
    const rest: bigint[] = [];
    for (const key of keys) {
      const entry = this.#findings((findings) => findings.sketches.get(key));
      if (entry === undefined) rest.push(key);
      else found.set(key, entry);
    }
    if (rest.length === 0) return found;
    for (const [key, entry] of await this.state.sketchesOf(rest)) found.set(key, entry);
    return found;
  }

  keepSketch(key: bigint, entry: number): void {
    this.#pending.findings.sketches.set(key, entry);
  }

  openClaim(claim: CanonicalClaim): void {
    this.#pending.findings.claims.set(fingerprint(claim.url), claim);
  }

  settleClaim(url: CanonicalUrl): void {
    this.#pending.findings.claims.set(fingerprint(url), null);
  }

  reopen(key: bigint): void {
    this.#pending.findings.reopened.add(key);
  }

  /** Stores the verdict on a URL that follows from its journal record. */
  keepVerdict(key: bigint, record: JournalledAs): void {
    this.#pending.findings.verdicts.set(key, verdictIn(record));
  }

  async urlOf(key: bigint): Promise<CanonicalUrl | null> {
    return this.#pending.urls.get(key) ?? this.#taken?.urls.get(key) ?? this.state.urlOf(key);
  }

  keepUrl(url: CanonicalUrl): void {
    this.#pending.urls.set(fingerprint(url), url);
  }

  /**
   * Returns the URL that owns this content. If there is none, `claimant` becomes the owner and the result is
   * null.
   */
  async claimContent(digest: string, claimant: ContentOwner): Promise<ContentOwner | null> {
    const pending = () => this.#pending.contents.get(digest) ?? this.#taken?.contents.get(digest);
    const committed = pending() ?? (await this.state.contentOwner(digest));
    const owner = pending() ?? (committed && this.#isReleased(digest, committed) ? null : committed);
    if (!owner) this.#pending.contents.set(digest, claimant);
    return owner ?? null;
  }

  /** Makes `to` the owner of this content in place of `from`. */
  moveContent(digest: string, from: ContentOwner, to: ContentOwner): void {
    this.releaseContent(digest, from.url);
    this.#pending.contents.set(digest, to);
  }

  /** Reports that `url` is no longer the owner of this content. */
  releaseContent(digest: string, url: CanonicalUrl): void {
    this.#pending.released.set(digest, url);
  }

  /**
   * Returns all values that were added since the last call of `take`, for the next commit. Only one commit may
   * run at a time.
   */
  take(): PendingBatch {
    const { urls: _, ...batch } = this.#pending;
    this.#taken = this.#pending;
    this.#pending = emptyOverlay();
    return batch;
  }

  /** Reports that the commit with the values of the last `take` has ended. */
  committed(): void {
    this.#taken = null;
  }

  #findings<Value>(read: (findings: FindingsBatch) => Value | undefined): Value | undefined {
    return read(this.#pending.findings) ?? (this.#taken ? read(this.#taken.findings) : undefined);
  }

  #isReleased(digest: string, { url }: ContentOwner): boolean {
    return [this.#pending, this.#taken].some((overlay) => overlay?.released.get(digest) === url);
  }
}

function noteKey(origin: string, kind: NoteKind): string {
  return `${kind} ${origin}`;
}

function emptyOverlay(): Overlay {
  return {
    contents: new Map(),
    released: new Map(),
    urls: new Map(),
    findings: {
      notes: new Map(),
      verdicts: new Map(),
      sketches: new Map(),
      claims: new Map(),
      reopened: new Set(),
    },
  };
}
