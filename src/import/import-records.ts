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
import { type CrawlState, type ImportNearDuplicates, resolveIdentity } from '../crawl/mod.ts';
import type { JournalRecord } from '../journal/mod.ts';
import { type CanonicalUrl, canonicalize } from '../url/mod.ts';

type ContentOwner = NonNullable<Awaited<ReturnType<CrawlState['contentOwner']>>>;
/** The owners of bodies that are not committed yet, by digest. */
type Contents = Map<string, ContentOwner>;

interface TakenItem {
  item: Archivable;
  record: JournalRecord | null;
}

export class ImportRecords {
  readonly #state: CrawlState;
  readonly #near: ImportNearDuplicates;
  readonly #archive: ArchiveReader;

  constructor(state: CrawlState, near: ImportNearDuplicates, archive: ArchiveReader) {
    this.#state = state;
    this.#near = near;
    this.#archive = archive;
  }

  /** Returns `orphan` for a revisit of a capture that the archive does not have. */
  async of(
    item: Archivable,
    meaning: RecordMeaning,
    url: CanonicalUrl,
    contents: Contents,
  ): Promise<TakenItem | 'orphan'> {
    const { fetchedAt } = item;
    switch (meaning.kind) {
      case 'page':
        return this.#pageOrAlias(item, meaning, url, contents);
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
    contents: Contents,
  ): Promise<TakenItem> {
    const { fetchedAt, payloadDigest } = item;
    // Documents are not checked for near duplicates, because the user chose each of them.
    const isFetched = 'duplicateOf' in item;
    const identity = await resolveIdentity(page, {
      claimContent: () => this.#claimContent(digest, { url, fetchedAt, payloadDigest }, contents),
      findTwin: () => (isFetched ? this.#near.findTwin(url, page, fetchedAt) : null),
    });
    if (identity.kind !== 'alias') {
      if (identity.kind === 'unlisted' && isFetched) this.#near.unlist(url);
      return { item, record: { kind: 'page', url, fetchedAt, digest, page } };
    }
    const { of, reason, owner } = identity;
    const isArchived = owner?.payloadDigest === payloadDigest && isFetched;
    const stored = isArchived ? { ...item, duplicateOf: owner } : item;
    return { item: stored, record: { kind: 'alias', url, fetchedAt, of, reason } };
  }

  async #claimContent(
    digest: string,
    claimant: ContentOwner,
    contents: Contents,
  ): Promise<ContentOwner | null> {
    const owner = contents.get(digest) ?? (await this.#state.contentOwner(digest));
    if (owner && owner.url !== claimant.url) return owner;
    contents.set(digest, claimant);
    return null;
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
