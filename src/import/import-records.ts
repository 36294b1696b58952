/**
 * Journal records of imported items, decided as the crawl decides about responses. An item with the bytes of
 * another capture also gets a reference to it, so that the archive stores the bytes once.
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
  type ImportNearDuplicates,
  type PendingState,
  resolveIdentity,
} from '../crawl/mod.ts';
import type { JournalRecord } from '../journal/mod.ts';
import { type CanonicalUrl, canonicalize } from '../url/mod.ts';

type ContentOwner = NonNullable<Awaited<ReturnType<CrawlState['contentOwner']>>>;

interface TakenItem {
  item: Archivable;
  record: JournalRecord | null;
}

export class ImportRecords {
  readonly #pending: PendingState;
  readonly #near: ImportNearDuplicates;
  readonly #archive: ArchiveReader;

  constructor(pending: PendingState, near: ImportNearDuplicates, archive: ArchiveReader) {
    this.#pending = pending;
    this.#near = near;
    this.#archive = archive;
  }

  /** Returns `orphan` for a revisit of a capture that the archive does not have. */
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
    // Documents are not checked for near duplicates, because the user chose each of them.
    const isFetched = 'duplicateOf' in item;
    const identity = await resolveIdentity(page, {
      claimContent: () => this.#claimContent(digest, { url, fetchedAt, payloadDigest }),
      findTwin: async () => (isFetched ? this.#near.findTwin(url, page, fetchedAt) : null),
    });
    if (identity.kind !== 'alias') {
      if (identity.kind === 'unlisted' && isFetched) await this.#near.unlist(url);
      return { item, record: { kind: 'page', url, fetchedAt, digest, page } };
    }
    const { of, reason, owner } = identity;
    const isArchived = owner?.payloadDigest === payloadDigest && isFetched;
    const stored = isArchived ? { ...item, duplicateOf: owner } : item;
    return { item: stored, record: { kind: 'alias', url, fetchedAt, of, reason } };
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
