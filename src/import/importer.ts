/**
 * Imports captures and documents into a data directory as if they had been crawled. Archive, journal and crawl
 * state are committed together, batch by batch.
 *
 * Captures and documents that are already in the archive are skipped: a capture with the same URL, second and
 * body, or an unchanged document. An interrupted import can therefore simply be repeated. Two kinds of captures
 * are written only to the archive and not to the journal: captures that are older than the newest capture of
 * their URL, and the first capture that says that a fetched page is gone. Therefore the journal has the same
 * content as a journal that is rebuilt from the archive. Links are not followed; the seeds decide what to
 * crawl.
 *
 * The caller holds the crawl's lock.
 */
import {
  type Archivable,
  type ArchivedRecord,
  ArchiveReader,
  archivableOf,
  type CdxEntry,
  cdxTimestamp,
  DOCUMENT_TYPE,
  describeItem,
  documentDigest,
  encodeDocument,
  interpretRecord,
  isCapture,
  MAX_DOCUMENT_BYTES,
  mayHaveMeaning,
  pageOfDocument,
  type RecordMeaning,
  recordStandingOf,
  type TextDocument,
  type WarcRecord,
} from '../archive/mod.ts';
import { type Directory, formatSize, type Log, ReadAhead, sha1Base32 } from '../base/mod.ts';
import {
  type CaptureStore,
  type CaptureStoreOptions,
  type CrawlState,
  captureOfImport,
  ImportSketches,
  type NearDuplicateOptions,
  openCaptureStore,
  openMarks,
  PendingState,
} from '../crawl/mod.ts';
import type { JournalRecord } from '../journal/mod.ts';
import { type CanonicalUrl, canonicalize, fingerprint } from '../url/mod.ts';
import { ImportBatch } from './import-batch.ts';
import { ImportRecords } from './import-records.ts';
import { countRecord, emptyReport, type ImportTrouble, note } from './import-report.ts';
import { importedDocumentOf, reasonOf } from './imported-answer.ts';

type Marks = NonNullable<Awaited<ReturnType<CrawlState['marks']>>>;

/** The directories that an import writes to. */
interface ImportTarget {
  root: Directory;
  archive: Directory;
  journal: Directory;
}

interface ImporterOptions extends Omit<CaptureStoreOptions, 'archive' | 'journal'> {
  /** Interprets a capture. By default this runs in the thread of the import. */
  read?(record: WarcRecord, url: CanonicalUrl): Promise<RecordMeaning>;
  nearDuplicates?: NearDuplicateOptions;
  log: Log;
  /** The time in milliseconds between the import of a page and its first revisit by a crawl. */
  firstMs: number;
  /** Returns true if the operator has removed the URL: it is not imported. */
  isRemoved?(url: CanonicalUrl): boolean;
}

const REMOVED = 'removed by the operator; gyre remove --allow permits it again';

/** A capture that is being interpreted, possibly in another thread. */
interface Begun {
  place: string;
  url: CanonicalUrl;
  item: Archivable;
  meaning: Promise<RecordMeaning>;
}

export class Importer {
  readonly report = emptyReport();
  readonly #options: ImporterOptions;
  readonly #state: CrawlState;
  readonly #pending: PendingState;
  readonly #captures: CaptureStore;
  readonly #reader: ArchiveReader;
  readonly #near: ImportSketches;
  readonly #records: ImportRecords;
  readonly #ahead = new ReadAhead((capture: Begun) => this.#settle(capture));
  #marks: Marks;
  #batch = new ImportBatch();

  static async open(data: ImportTarget, state: CrawlState, options: ImporterOptions): Promise<Importer> {
    const marks = await openMarks(state, [data.archive, data.journal]);
    const { journal, root } = data;
    const { nearDuplicates, log } = options;
    const { sketches } = marks;
    const pending = new PendingState(state);
    const near = await ImportSketches.open({
      state,
      journal,
      directory: root,
      sketches,
      pending,
      nearDuplicates,
      log,
    });
    return new Importer(data, pending, options, marks, near);
  }

  private constructor(
    data: ImportTarget,
    pending: PendingState,
    options: ImporterOptions,
    marks: Marks,
    near: ImportSketches,
  ) {
    this.#state = pending.state;
    this.#pending = pending;
    this.#options = options;
    this.#marks = marks;
    const { archive, journal } = data;
    this.#captures = openCaptureStore({ ...options, archive, journal }, marks);
    this.#reader = new ArchiveReader(data.archive);
    this.#near = near;
    this.#records = new ImportRecords(pending, near, this.#reader);
  }

  /**
   * Imports a record of a WARC file. Records that are not captures, such as requests, are skipped without a
   * report.
   */
  async takeRecord(record: ArchivedRecord, place: string): Promise<void> {
    if (!isCapture(record)) return;
    const url = canonicalize(record.targetUri);
    if (!url) return this.pass('skipped', place, `"${record.targetUri}" is no web address`);
    if (this.#options.isRemoved?.(url)) return this.pass('skipped', place, `${url} is ${REMOVED}`);
    const item = archivableOf(record, url);
    if (!item) return this.pass('skipped', place, 'a capture without a date, or of no HTTP response');
    if (this.#entriesOf(url).some((entry) => isSame(entry, item))) this.report.known++;
    else await this.#ahead.add({ place, url, item, meaning: this.#read(record, url) }, item.payload.length);
  }

  /** Reports an item that cannot be imported, with place and reason. */
  pass(trouble: ImportTrouble, place: string, reason: string, count = 1): void {
    note(this.report, trouble, place, reason, count);
  }

  async takeDocument(document: TextDocument, place: string): Promise<void> {
    await this.#ahead.drain();
    const { url } = document;
    if (this.#options.isRemoved?.(url)) return this.pass('skipped', place, `${url} is ${REMOVED}`);
    const payload = encodeDocument(document);
    if (payload.length > MAX_DOCUMENT_BYTES) return this.pass('skipped', place, tooLarge(payload.length));
    const payloadDigest = sha1Base32(payload);
    const entries = this.#entriesOf(url);
    const page = pageOfDocument(document);
    if (entries[0]?.digest === `sha1:${payloadDigest}`) this.report.known++;
    else if (!page) this.pass('skipped', place, 'no text');
    else {
      const now = this.#options.clock.now();
      const fetchedAt = Math.min(document.fetchedAt ?? now, now);
      const item = { url, fetchedAt, contentType: DOCUMENT_TYPE, payload, payloadDigest };
      const meaning: RecordMeaning = { kind: 'page', page, digest: documentDigest(document) };
      await this.#take(item, meaning, url, entries, place);
    }
  }

  /** Commits the current batch: makes all its items durable. */
  async commit(): Promise<void> {
    const { discovered, results } = this.#batch;
    const rest = { hosts: [], maxUrlsPerHost: Number.MAX_SAFE_INTEGER };
    // The crawl state accepts the result of a URL only after the URL is known, so there are two commits. After
    // a crash between them, the URLs are known but have no result.
    await this.#state.commit({ ...rest, ...this.#marks, discovered, results: [], contents: new Map() });
    const learned = this.#pending.take();
    const [mark, sketches] = await Promise.all([this.#captures.seal(), this.#near.flush()]);
    this.#marks = { ...this.#marks, ...mark, sketches };
    await this.#state.commit({ ...rest, ...this.#marks, discovered: [], results, ...learned });
    this.#pending.committed();
    this.#captures.committed();
    this.#batch = new ImportBatch();
  }

  /** Makes the last commit and finishes the journal file, so that the graph and the index can read it. */
  async finish(): Promise<void> {
    await this.#ahead.drain();
    await this.commit();
    this.#captures.publish();
  }

  close(): void {
    this.#captures.close();
    this.#reader.close();
    this.#near.close();
  }

  #read(record: ArchivedRecord, url: CanonicalUrl): Promise<RecordMeaning> {
    const { read } = this.#options;
    return read ? read(record, url) : Promise.resolve(interpretRecord(record, url));
  }

  async #settle({ place, url, item, meaning: reading }: Begun): Promise<void> {
    const meaning = await reading;
    const entries = this.#entriesOf(url);
    if (entries.some((entry) => isSame(entry, item))) {
      this.report.known++;
      return;
    }
    // The archive keeps a capture that the parser could not read, so that a fixed parser can read it later.
    if (meaning.kind === 'failed') this.pass('skipped', place, `${url} ${meaning.reason}`);
    await this.#take(item, meaning, url, entries, place);
  }

  async #take(
    item: Archivable,
    meaning: RecordMeaning,
    url: CanonicalUrl,
    entries: readonly CdxEntry[],
    place: string,
  ): Promise<void> {
    const standing = recordStandingOf(entryOf(item), entries);
    await this.#commitOriginal(meaning);
    const current = standing === 'current' ? meaning : withheld(meaning);
    const taken = await this.#records.of(item, current, url);
    if (taken === 'orphan') return this.pass('orphans', place, 'a revisit of a capture that is not there');
    const entry = entryOf(taken.item);
    this.#captures.archive(taken.item);
    this.report.archived++;
    if (standing !== 'past' && mayHaveMeaning(entry)) {
      if (taken.renamed) this.#captures.record(taken.renamed);
      await this.#conclude(
        url,
        item,
        meaning,
        { record: taken.record, isDoubtful: standing === 'doubtful' },
        entries.some((other) => mayHaveMeaning(other)),
      );
    }
    this.#batch.add(url, entry, item.payload.length);
    if (this.#batch.isFull) await this.commit();
  }

  /**
   * Commits the batch if it contains the capture that a revisit refers to, because only committed captures
   * can be looked up.
   */
  async #commitOriginal(meaning: RecordMeaning): Promise<void> {
    const of = meaning.kind === 'revisit' ? canonicalize(meaning.url) : null;
    if (of && this.#batch.entriesOf(of).length > 0) await this.commit();
  }

  async #conclude(
    url: CanonicalUrl,
    item: Archivable,
    meaning: RecordMeaning,
    { record, isDoubtful }: Conclusion,
    isKnown: boolean,
  ): Promise<void> {
    const key = fingerprint(url);
    const previous = this.#batch.lastCapture(key) ?? (await this.#state.lastCapture(key));
    if (record) {
      this.#captures.record(previous?.isDocument ? record : { ...record, isNew: true });
      countRecord(this.report, record);
    }
    const status = 'status' in item ? item.status : 200;
    const { fetchedAt } = item;
    if (!isKnown) this.#batch.discovered.push({ url, fingerprint: key, depth: 0 });
    const reason = reasonOf(meaning, record, status);
    const document = importedDocumentOf(item, record, await this.#near.entryOf(key));
    const last = captureOfImport({ previous, document, isDoubtful }, this.#options);
    const result = { fingerprint: key, attempts: 0, status, reason, fetchedAt, ...(last && { last }) };
    this.#batch.results.push({ ...result, state: 'done' });
  }

  /**
   * Returns the captures of a URL, newest first. Captures of the current batch come before those in the
   * archive.
   */
  #entriesOf(url: CanonicalUrl): CdxEntry[] {
    return [...this.#batch.entriesOf(url), ...this.#reader.find(url)];
  }
}

interface Conclusion {
  record: JournalRecord | null;
  /**
   * True if this is the first capture that says that the page is gone. The page is kept until a second capture
   * says the same.
   */
  isDoubtful: boolean;
}

export function tooLarge(sizeBytes: number): string {
  return `${formatSize(sizeBytes)} is more than the ${formatSize(MAX_DOCUMENT_BYTES)} that a document may have`;
}

/**
 * Discards the meaning of a capture that is only archived. The meaning of an outdated page must not count,
 * because pages with the same content could become its aliases. The meaning of the first capture that says that
 * a page is gone must not count, because it may be wrong.
 */
function withheld(meaning: RecordMeaning): RecordMeaning {
  return meaning.kind === 'page' || meaning.kind === 'gone' ? { kind: 'nothing' } : meaning;
}

function isSame(entry: CdxEntry, item: Archivable): boolean {
  return entry.timestamp === cdxTimestamp(item.fetchedAt) && entry.digest === `sha1:${item.payloadDigest}`;
}

/** Makes the CDXJ entry of an item that has no offset in the archive yet. */
function entryOf(item: Archivable): CdxEntry {
  return { ...describeItem(item), offset: 0, length: 0, filename: '' };
}
