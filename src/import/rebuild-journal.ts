/**
 * Rebuilds the journal from the archive with the current parser, so that a parser bug never requires a second
 * crawl.
 *
 * Only the current capture of each URL is read, so the journal shrinks to the current state. Pages with equal
 * bodies become aliases of the first of them. Decisions that need more than one capture (the preferred URL,
 * canonical links, soft 404s, parked pages) come from the crawl state. The new journal replaces the old one in
 * a single step at the end (journal-generation.ts); until then the old one stays in use.
 *
 * The caller holds the locks of the crawl and of the index.
 */

import {
  ArchiveReader,
  archivedRecord,
  archiveFiles,
  currentCapture,
  detectCompression,
  findOriginal,
  interpretRecord,
  type LocatedRecord,
  noDamage,
  type RecordMeaning,
  repairCdx,
  resumeCdx,
  scanMembers,
  type WarcMark,
  type WarcRecord,
} from '../archive/mod.ts';
import { type Directory, type Log, ReadAhead } from '../base/mod.ts';
import { resolveIdentity } from '../crawl/mod.ts';
import {
  type AliasRecord,
  beginGeneration,
  completeGeneration,
  firstHidden,
  type GoneRecord,
  type JournalRecord,
  JournalWriter,
  resetDamagedGeneration,
} from '../journal/mod.ts';
import type { ParseOptions } from '../page/mod.ts';
import { type CanonicalUrl, canonicalize } from '../url/mod.ts';

const FLUSH_RECORDS = 256;
const FILE_RECORDS = 8_192;

interface RebuildOptions {
  /** The end of the archive at its last commit. Later data is ignored. */
  end: WarcMark;
  signal?: AbortSignal;
  /** The extractors to use. Responses with a content type that an extractor reads count as pages. */
  parse?: ParseOptions;
  /** Interprets a record. By default this runs in the thread of the rebuild. */
  read?(record: WarcRecord, url: CanonicalUrl): Promise<RecordMeaning>;
  log?: Log;
  /**
   * Returns the alias or gone record that replaces the page at this URL, or null if the page is not replaced.
   */
  knownAs?(url: CanonicalUrl, fetchedAt: number): Promise<AliasRecord | GoneRecord | null>;
  /** Returns true if the operator has removed the URL: its captures are skipped. */
  isRemoved?(url: CanonicalUrl): boolean;
  onProgress?(report: RebuildReport): void;
}

export interface RebuildReport {
  captures: number;
  pages: number;
  aliases: number;
  gone: number;
  /** The number of pages whose content type the parser no longer supports. */
  unreadable: number;
  /** The number of pages whose parsing timed out or failed. */
  failed: number;
  /** The number of revisits whose original capture is not in the archive. */
  orphans: number;
  /** The number of sections of the archive that could not be read. */
  damaged: number;
  /** False if the signal stopped the rebuild: then the old journal is still in place. */
  complete: boolean;
}

export async function rebuildJournal(
  archive: Directory,
  journal: Directory,
  options: RebuildOptions,
): Promise<RebuildReport> {
  repairCdx(archive);
  for (const { stored, name, end } of archiveFiles(archive, options.end)) {
    if (stored !== name) resumeCdx(archive, name, end).close();
  }
  resetDamagedGeneration(journal);
  const file = firstHidden(journal);
  const writer = new JournalWriter(journal, { file, length: 0, records: 0 }, { isNewGeneration: true });
  beginGeneration(journal, file);
  const rebuild = new Rebuild(archive, writer, options);
  try {
    await rebuild.run();
  } finally {
    writer.close();
  }
  if (rebuild.report.complete) completeGeneration(journal);
  return rebuild.report;
}

/** A capture that is being interpreted, possibly in another thread. */
interface Begun {
  url: CanonicalUrl;
  fetchedAt: number;
  meaning: Promise<RecordMeaning>;
}

class Rebuild {
  readonly report: RebuildReport = {
    captures: 0,
    pages: 0,
    aliases: 0,
    gone: 0,
    unreadable: 0,
    failed: 0,
    orphans: 0,
    damaged: 0,
    complete: false,
  };
  readonly #archive: Directory;
  readonly #reader: ArchiveReader;
  readonly #writer: JournalWriter;
  readonly #options: RebuildOptions;
  /** For each digest of a body, the URL to which the body belongs. An entry takes about 200 bytes. */
  readonly #owners = new Map<string, CanonicalUrl>();
  readonly #ahead = new ReadAhead((capture: Begun) => this.#settle(capture));
  #pending = 0;

  constructor(archive: Directory, writer: JournalWriter, options: RebuildOptions) {
    this.#archive = archive;
    this.#reader = new ArchiveReader(archive);
    this.#writer = writer;
    this.#options = options;
  }

  async run(): Promise<void> {
    try {
      for (const { stored, name, end } of archiveFiles(this.#archive, this.#options.end)) {
        await this.#readFile(stored, name, end);
        if (this.#options.signal?.aborted) return;
      }
      await this.#ahead.drain();
      await this.#flush();
      this.#writer.rotate();
      this.report.complete = true;
    } finally {
      this.#reader.close();
    }
  }

  async #readFile(stored: string, name: string, end: number): Promise<void> {
    const file = this.#archive.open(stored);
    const damage = noDamage();
    try {
      const compression = detectCompression(file);
      if (compression === 'none') return;
      for (const located of scanMembers(file, compression, damage, { end })) {
        const begun = this.#begin(located, name);
        if (begun) await this.#ahead.add(begun, located.record.block.length);
        if (this.#pending >= FLUSH_RECORDS) await this.#flush();
        if (this.#options.signal?.aborted) return;
      }
    } finally {
      this.report.damaged += damage.damaged;
      file.close();
    }
  }

  /**
   * Starts the interpretation of a record. Returns null if the record is not a capture, or not the current
   * capture of its URL.
   */
  #begin({ record, offset }: LocatedRecord, name: string): Begun | null {
    if (record.type !== 'response' && record.type !== 'revisit' && record.type !== 'resource') return null;
    this.report.captures++;
    const url = canonicalize(record.targetUri);
    if (url && this.#options.isRemoved?.(url)) return null;
    const current = url && currentCapture(this.#reader, record.targetUri, this.#options.parse);
    if (!current || current.filename !== name || current.offset !== offset) return null;
    return { url, fetchedAt: record.date, meaning: this.#read(record, url) };
  }

  #read(record: WarcRecord, url: CanonicalUrl): Promise<RecordMeaning> {
    const { read, parse } = this.#options;
    return read ? read(record, url) : Promise.resolve(interpretRecord(archivedRecord(record), url, parse));
  }

  async #settle({ url, fetchedAt, meaning }: Begun): Promise<void> {
    const entry = await this.#recordOf(await meaning, url, fetchedAt);
    if (!entry) return;
    // Cursors of the old journal expire, so every page of the new one is new for its readers.
    this.#writer.append({ ...entry, isNew: true });
    this.#pending++;
  }

  async #recordOf(
    meaning: RecordMeaning,
    url: CanonicalUrl,
    fetchedAt: number,
  ): Promise<JournalRecord | null> {
    const isPage = meaning.kind === 'page' || meaning.kind === 'revisit';
    const known = isPage ? await this.#knownAs(url, fetchedAt) : null;
    if (known) {
      if (known.kind === 'alias') this.report.aliases++;
      else this.report.gone++;
      return known;
    }
    switch (meaning.kind) {
      case 'page':
        return this.#pageOrAlias(meaning, url, fetchedAt);
      case 'redirect':
        this.report.aliases++;
        return { kind: 'alias', url, fetchedAt, of: meaning.to, reason: 'redirect' };
      case 'gone':
        this.report.gone++;
        return { kind: 'gone', url, fetchedAt, status: meaning.status };
      case 'revisit':
        return this.#revisit(meaning, url, fetchedAt);
      case 'unreadable':
        this.report.unreadable++;
        return { kind: 'gone', url, fetchedAt, status: 200 };
      case 'failed':
        this.report.failed++;
        this.#options.log?.warn('page skipped', { url, reason: meaning.reason });
        return { kind: 'gone', url, fetchedAt, status: 200 };
      case 'nothing':
        return null;
    }
  }

  async #knownAs(url: CanonicalUrl, fetchedAt: number): Promise<AliasRecord | GoneRecord | null> {
    return (await this.#options.knownAs?.(url, fetchedAt)) ?? null;
  }

  async #pageOrAlias(
    { page, digest }: Extract<RecordMeaning, { kind: 'page' }>,
    url: CanonicalUrl,
    fetchedAt: number,
  ): Promise<JournalRecord> {
    const identity = await resolveIdentity(page, {
      claimContent: () => this.#claimContent(digest, url),
      // Never swaps a document and its alias: the crawl has already chosen among URLs with the same content,
      // and `knownAs` returns its choice.
      swapRoles: () => null,
    });
    if (identity.kind === 'alias') {
      this.report.aliases++;
      return { kind: 'alias', url, fetchedAt, of: identity.of, reason: identity.reason };
    }
    this.report.pages++;
    return { kind: 'page', url, fetchedAt, digest, page };
  }

  #claimContent(digest: string, url: CanonicalUrl): { url: CanonicalUrl } | null {
    const owner = this.#owners.get(digest);
    if (owner !== undefined) return { url: owner };
    this.#owners.set(digest, url);
    return null;
  }

  async #revisit(
    meaning: Extract<RecordMeaning, { kind: 'revisit' }>,
    url: CanonicalUrl,
    fetchedAt: number,
  ): Promise<JournalRecord | null> {
    const original = findOriginal(this.#reader, meaning);
    const of = canonicalize(meaning.url);
    if (!original || !of || of === url) {
      this.report.orphans++;
      return null;
    }
    const current = currentCapture(this.#reader, meaning.url, this.#options.parse);
    const isCurrent = current?.filename === original.filename && current.offset === original.offset;
    if (!isCurrent || (await this.#knownAs(of, fetchedAt))) {
      // The page at the original URL has changed since then, or that URL is an alias. Therefore the body now
      // belongs to the URL of this record.
      const record = this.#reader.tryRead(original);
      if (record) return this.#recordOf(await this.#read(record, url), url, fetchedAt);
      this.report.orphans++;
      return null;
    }
    this.report.aliases++;
    return { kind: 'alias', url, fetchedAt, of, reason: 'duplicate' };
  }

  async #flush(): Promise<void> {
    await this.#writer.flush();
    this.#pending = 0;
    this.#options.onProgress?.(this.report);
    if (this.#writer.mark.records >= FILE_RECORDS) this.#writer.rotate();
  }
}
