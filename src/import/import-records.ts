/**
 * Makes the journal records of imported captures and documents. It decides as the crawl decides about
 * responses. If the body of an item is already in the archive, the item also gets a reference to the capture
 * that has it, so that the archive stores the bytes only once.
 */
import {
  type Archivable,
  type ArchiveReader,
  type Capture,
  findOriginal,
  type RecordMeaning,
} from '../archive/mod.ts';
import {
  type CrawlState,
  duplicateOf,
  type ImportSketches,
  isPreferredUrl,
  type PendingState,
  resolveIdentity,
} from '../crawl/mod.ts';
import type { AliasRecord, JournalRecord, PageRecord } from '../journal/mod.ts';
import type { Page } from '../page/mod.ts';
import { type CanonicalUrl, canonicalize, fingerprint } from '../url/mod.ts';

type ContentOwner = NonNullable<Awaited<ReturnType<CrawlState['contentOwner']>>>;

interface TakenItem {
  item: Archivable;
  record: JournalRecord | null;
  /**
   * If the imported URL replaces another URL that had this content before, the record that makes the other URL
   * an alias.
   */
  renamed?: AliasRecord;
}

export class ImportRecords {
  readonly #pending: PendingState;
  readonly #sketches: ImportSketches;
  readonly #archive: ArchiveReader;

  constructor(pending: PendingState, sketches: ImportSketches, archive: ArchiveReader) {
    this.#pending = pending;
    this.#sketches = sketches;
    this.#archive = archive;
  }

  /**
   * Decides which journal record a capture or document gets. Returns `orphan` for a revisit of a capture that
   * the archive does not have.
   */
  async of(item: Archivable, meaning: RecordMeaning, url: CanonicalUrl): Promise<TakenItem | 'orphan'> {
    const { fetchedAt } = item;
    switch (meaning.kind) {
      case 'page':
        return this.#pageOrAlias(item, meaning, url);
      case 'redirect':
        return { item, record: { kind: 'alias', url, fetchedAt, of: meaning.to, reason: 'redirect' } };
      case 'gone':
        return { item, record: { kind: 'gone', url, fetchedAt, status: meaning.status } };
      case 'revisit':
        return this.#revisit(item, meaning, url);
      default:
        return { item, record: null };
    }
  }

  async #pageOrAlias(
    item: Archivable,
    { page, digest }: Extract<RecordMeaning, { kind: 'page' }>,
    url: CanonicalUrl,
  ): Promise<TakenItem> {
    const { fetchedAt, payloadDigest } = item;
    const isFetched = 'duplicateOf' in item;
    const claimant = { url, fetchedAt, payloadDigest };
    const identity = await resolveIdentity<ContentOwner>(page, {
      claimContent: () => this.#claimContent(digest, claimant),
      swapRoles: (owner) => this.#swapRoles(digest, page, claimant, owner),
    });
    if (identity.kind === 'alias') {
      const { of, reason, owner } = identity;
      const isArchived = owner.payloadDigest === payloadDigest && isFetched;
      const stored = isArchived ? { ...item, duplicateOf: owner } : item;
      return this.#taken(stored, { kind: 'alias', url, fetchedAt, of, reason });
    }
    if (isFetched && identity.kind === 'page') await this.#sketches.keep(url, page);
    if (isFetched && identity.kind === 'unlisted') await this.#sketches.unlist(url);
    const taken = this.#taken(item, { kind: 'page', url, fetchedAt, digest, page });
    const renamed = identity.kind === 'page' ? identity.renamed : null;
    return renamed ? { ...taken, renamed } : taken;
  }

  /** Stores the decision about the URL, so that later items of the import take it into account. */
  #taken(item: Archivable, record: PageRecord | AliasRecord): TakenItem {
    this.#pending.keepVerdict(fingerprint(record.url), record.kind === 'page' ? 'page' : record);
    this.#pending.keepUrl(record.url);
    return { item, record };
  }

  #swapRoles(digest: string, page: Page, claimant: ContentOwner, owner: ContentOwner): AliasRecord | null {
    if (!isPreferredUrl(claimant.url, owner.url, page)) return null;
    this.#pending.moveContent(digest, owner, claimant);
    const renamed = duplicateOf(claimant.url, claimant.fetchedAt, owner);
    this.#pending.keepVerdict(fingerprint(owner.url), renamed);
    return renamed;
  }

  async #claimContent(digest: string, claimant: ContentOwner): Promise<ContentOwner | null> {
    const owner = await this.#pending.claimContent(digest, claimant);
    return owner?.url === claimant.url ? null : owner;
  }

  #revisit(
    item: Archivable,
    meaning: Extract<RecordMeaning, { kind: 'revisit' }>,
    url: CanonicalUrl,
  ): TakenItem | 'orphan' {
    const of = canonicalize(meaning.url);
    if (!of) return 'orphan';
    if (!findOriginal(this.#archive, { ...meaning, url: of })) return 'orphan';
    const stored = { ...(item as Capture), duplicateOf: { url: of, fetchedAt: meaning.fetchedAt } };
    const { fetchedAt } = item;
    const record: JournalRecord = { kind: 'alias', url, fetchedAt, of, reason: 'duplicate' };
    return { item: stored, record: of === url ? null : record };
  }
}
