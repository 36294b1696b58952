/**
 * Makes the journal anew from the archive, with today's parser: a bug in it never costs a second crawl.
 *
 * Of each URL only the capture counts that says what it is now; so the journal shrinks to what is true.
 * Pages with equal bodies become aliases of the one that comes first; what else the crawl had found out (near
 * duplicates, canonical links, pages that are none) it is asked for, as one capture alone does not tell. The new journal replaces the old
 * one in a single step at the end (journal-generation.ts); until then nothing has happened.
 *
 * The caller holds the locks of the crawl and of the index.
 */
import { type Directory, type Log, ReadAhead } from '../base/mod.ts';
import type { ParseOptions } from '../page/mod.ts';
import { type CanonicalUrl, canonicalize } from '../url/mod.ts';
import { archiveFiles } from './archive-files.ts';
import { ArchiveReader } from './archive-reader.ts';
import { archivedRecord, currentCapture, findOriginal, type Meaning, meaningOf } from './archived-page.ts';
import { repairCdx, resumeCdx } from './cdx-writer.ts';
import { detectCompression } from './compressed-members.ts';
import type { AliasRecord, GoneRecord, JournalRecord } from './journal-format.ts';
import { beginGeneration, completeGeneration, firstHidden } from './journal-generation.ts';
import { JournalWriter } from './journal-writer.ts';
import type { WarcRecord } from './warc-parser.ts';
import { type LocatedRecord, noDamage, scanMembers } from './warc-reader.ts';
import type { WarcMark } from './warc-writer.ts';

const FLUSH_RECORDS = 256;
const FILE_RECORDS = 8_192;

export interface RebuildOptions {
  /** How far the archive is committed: what lies behind is left out. */
  end: WarcMark;
  signal?: AbortSignal;
  /** Which extractors there are: what they read are pages too. */
  parse?: ParseOptions;
  /** Reads a record; by default this thread does. */
  read?(record: WarcRecord, url: CanonicalUrl): Promise<Meaning>;
  log?: Log;
  /** What stands for the page at this URL, if it is no document of its own. */
  knownAs?(url: CanonicalUrl, fetchedAt: number): AliasRecord | GoneRecord | null;
  onProgress?(report: RebuildReport): void;
}

export interface RebuildReport {
  /** Captures that were looked at. */
  captures: number;
  pages: number;
  aliases: number;
  gone: number;
  /** Pages in a form that is not read any more. */
  unreadable: number;
  /** Pages that were given up: reading them came to no end, or to a bad one. */
  failed: number;
  /** Captures that refer to one that the archive does not have. */
  orphans: number;
  /** Stretches of the archive that could not be read. */
  damaged: number;
  /** False if the signal stopped it: then the old journal is still in place. */
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
  const file = firstHidden(journal);
  const writer = new JournalWriter(journal, { file, length: 0, records: 0 });
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

/** A capture that counts, as it is being read. */
interface Begun {
  url: CanonicalUrl;
  fetchedAt: number;
  meaning: Promise<Meaning>;
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
  /** Which URL has a body, by its digest: some 200 bytes a page. */
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

  /** Null for what is no capture, or not the one that counts. */
  #begin({ record, offset }: LocatedRecord, name: string): Begun | null {
    if (record.type !== 'response' && record.type !== 'revisit' && record.type !== 'resource') return null;
    this.report.captures++;
    const url = canonicalize(record.targetUri);
    const current = url && currentCapture(this.#reader, record.targetUri, this.#options.parse);
    if (!current || current.filename !== name || current.offset !== offset) return null;
    return { url, fetchedAt: record.date, meaning: this.#read(record, url) };
  }

  #read(record: WarcRecord, url: CanonicalUrl): Promise<Meaning> {
    const { read, parse } = this.#options;
    return read ? read(record, url) : Promise.resolve(meaningOf(archivedRecord(record), url, parse));
  }

  async #settle({ url, fetchedAt, meaning }: Begun): Promise<void> {
    const entry = await this.#recordOf(await meaning, url, fetchedAt);
    if (!entry) return;
    this.#writer.append(entry);
    this.#pending++;
  }

  async #recordOf(meaning: Meaning, url: CanonicalUrl, fetchedAt: number): Promise<JournalRecord | null> {
    const isPage = meaning.kind === 'page' || meaning.kind === 'revisit';
    const known = isPage ? this.#knownAs(url, fetchedAt) : null;
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
        this.#options.log?.warn('page left out', { url, why: meaning.reason });
        return { kind: 'gone', url, fetchedAt, status: 200 };
      case 'nothing':
        return null;
    }
  }

  #knownAs(url: CanonicalUrl, fetchedAt: number): AliasRecord | GoneRecord | null {
    return this.#options.knownAs?.(url, fetchedAt) ?? null;
  }

  #pageOrAlias(
    { page, digest }: Extract<Meaning, { kind: 'page' }>,
    url: CanonicalUrl,
    fetchedAt: number,
  ): JournalRecord {
    const owner = this.#owners.get(digest);
    if (owner === undefined) {
      this.#owners.set(digest, url);
      this.report.pages++;
      return { kind: 'page', url, fetchedAt, digest, page };
    }
    this.report.aliases++;
    return { kind: 'alias', url, fetchedAt, of: owner, reason: 'duplicate' };
  }

  async #revisit(
    meaning: Extract<Meaning, { kind: 'revisit' }>,
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
    if (!isCurrent || this.#knownAs(of, fetchedAt)) {
      // The page that had this body has another one now, or is another's name: the body is this URL's own.
      return this.#recordOf(await this.#read(this.#reader.read(original), url), url, fetchedAt);
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
