/**
 * Takes captures and documents from elsewhere into a data directory, as if they had been crawled: archive,
 * journal and the crawl's state become true together, batch by batch.
 *
 * What is in the archive already is passed over: a capture with the same URL, second and body, or a
 * document that has not changed. So an import that was cut short is simply repeated. A capture that is
 * older than the newest of its URL goes to the archive only, and so does the first word that a fetched page is gone:
 * the journal says what it would if it were made anew from the archive. Links are left alone: what to crawl is for
 * seeds to say.
 *
 * The caller holds the crawl's lock.
 */
import {
  type Archivable,
  type ArchivedRecord,
  ArchiveReader,
  archivableOf,
  type Capture,
  type CdxEntry,
  cdxTimestamp,
  DOCUMENT_TYPE,
  describeItem,
  documentDigest,
  encodeDocument,
  findOriginal,
  isCapture,
  type JournalRecord,
  JournalWriter,
  MAX_DOCUMENT_BYTES,
  type Meaning,
  mayHaveMeaning,
  meaningOf,
  pageOfDocument,
  standingOf,
  type TextDocument,
  type WarcRecord,
  WarcWriter,
  type WarcWriterOptions,
} from '../archive/mod.ts';
import { formatSize, ReadAhead, sha1Base32 } from '../base/mod.ts';
import {
  type CrawlState,
  captureOfImport,
  type NearDuplicateOptions,
  NearNames,
  openMarks,
} from '../crawl/mod.ts';
import { isShortened } from '../page/mod.ts';
import { type CanonicalUrl, canonicalize, fingerprint } from '../url/mod.ts';
import type { DataDirectory } from './data-directory.ts';
import { emptyReport, note, type Trouble } from './import-report.ts';
import { documentOf, reasonOf } from './imported-answer.ts';

const BATCH_ITEMS = 256;
const BATCH_BYTES = 32 * 1024 * 1024;

type CrawlBatch = Parameters<CrawlState['commit']>[0];
type Marks = NonNullable<Awaited<ReturnType<CrawlState['marks']>>>;

export interface ImporterOptions extends Omit<WarcWriterOptions, 'directory' | 'mark'> {
  /** Reads a capture; by default this thread does. */
  read?(record: WarcRecord, url: CanonicalUrl): Promise<Meaning>;
  nearDuplicates?: NearDuplicateOptions;
  /** How long after a first visit the next one is due. */
  firstMs: number;
}

/** A capture that is being read. */
interface Begun {
  place: string;
  url: CanonicalUrl;
  item: Archivable;
  meaning: Promise<Meaning>;
}

export class Importer {
  readonly report = emptyReport();
  readonly #options: ImporterOptions;
  readonly #state: CrawlState;
  readonly #warc: WarcWriter;
  readonly #journal: JournalWriter;
  readonly #reader: ArchiveReader;
  readonly #near: NearNames;
  readonly #ahead = new ReadAhead((capture: Begun) => this.#settle(capture));
  #marks: Marks;
  #batch = emptyBatch();

  static async open(data: DataDirectory, state: CrawlState, options: ImporterOptions): Promise<Importer> {
    return new Importer(data, state, options, await openMarks(state, [data.archive, data.journal]));
  }

  private constructor(data: DataDirectory, state: CrawlState, options: ImporterOptions, marks: Marks) {
    this.#state = state;
    this.#options = options;
    this.#marks = marks;
    this.#warc = new WarcWriter({ ...options, directory: data.archive, mark: marks.warc });
    this.#journal = new JournalWriter(data.journal, marks.journal);
    this.#reader = new ArchiveReader(data.archive);
    const { nearDuplicates } = options;
    this.#near = new NearNames({
      state,
      directory: data.root.directory('dedup'),
      sketches: marks.sketches,
      ...(nearDuplicates && { nearDuplicates }),
    });
  }

  /** A record of a WARC file; those that are no captures, such as requests, are passed over in silence. */
  async takeRecord(record: ArchivedRecord, place: string): Promise<void> {
    if (!isCapture(record)) return;
    const url = canonicalize(record.targetUri);
    if (!url) return this.pass('skipped', place, `"${record.targetUri}" is no web address`);
    const item = archivableOf(record, url);
    if (!item) return this.pass('skipped', place, 'a capture without a date, or of no HTTP response');
    if (this.#entriesOf(url).some((entry) => isSame(entry, item))) this.report.known++;
    else await this.#ahead.add({ place, url, item, meaning: this.#read(record, url) }, item.payload.length);
  }

  /** Something that cannot be taken in, and why. */
  pass(trouble: Trouble, place: string, reason: string, count = 1): void {
    note(this.report, trouble, place, reason, count);
  }

  /** A document that is no web page. */
  async takeDocument(document: TextDocument, place: string): Promise<void> {
    await this.#ahead.drain();
    const { url } = document;
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
      const meaning: Meaning = { kind: 'page', page, digest: documentDigest(document) };
      await this.#take(item, meaning, url, entries, place);
    }
  }

  /** Makes what was taken so far durable. */
  async commit(): Promise<void> {
    const { discovered, results, contents } = this.#batch;
    const rest = { hosts: [], maxUrlsPerHost: Number.MAX_SAFE_INTEGER };
    // A result needs its URL to be known: in between, a crash leaves URLs that are known and not yet done.
    await this.#state.commit({ ...rest, ...this.#marks, discovered, results: [], contents: new Map() });
    const [warc, journal, { findings, sketches }] = await Promise.all([
      this.#warc.flush(),
      this.#journal.flush(),
      this.#near.take(),
    ]);
    this.#marks = { ...this.#marks, warc, journal, sketches };
    await this.#state.commit({ ...rest, ...this.#marks, discovered: [], results, contents, findings });
    this.#warc.rotateIfLarge();
    this.#batch = emptyBatch();
  }

  /** The last commit, and the journal handed to the stages that follow. */
  async finish(): Promise<void> {
    await this.#ahead.drain();
    await this.commit();
    this.#journal.rotate();
  }

  close(): void {
    this.#warc.close();
    this.#journal.close();
    this.#reader.close();
    this.#near.close();
  }

  #read(record: ArchivedRecord, url: CanonicalUrl): Promise<Meaning> {
    const { read } = this.#options;
    return read ? read(record, url) : Promise.resolve(meaningOf(record, url));
  }

  async #settle({ place, url, item, meaning: reading }: Begun): Promise<void> {
    const meaning = await reading;
    const entries = this.#entriesOf(url);
    if (entries.some((entry) => isSame(entry, item))) {
      this.report.known++;
      return;
    }
    // The archive keeps it: whoever mends what reads it can try again.
    if (meaning.kind === 'failed') this.pass('skipped', place, `${url} ${meaning.reason}`);
    await this.#take(item, meaning, url, entries, place);
  }

  async #take(
    item: Archivable,
    meaning: Meaning,
    url: CanonicalUrl,
    entries: readonly CdxEntry[],
    place: string,
  ): Promise<void> {
    const standing = standingOf(entryOf(item), entries);
    const taken = await this.#recordOf(item, standing === 'current' ? meaning : withheld(meaning), url);
    if (taken === 'orphan') return this.pass('orphans', place, 'a revisit of a capture that is not there');
    const entry = entryOf(taken.item);
    this.#warc.append(taken.item);
    this.report.archived++;
    if (standing !== 'past' && mayHaveMeaning(entry)) {
      this.#conclude(
        url,
        item,
        meaning,
        { record: taken.record, isDoubtful: standing === 'doubtful' },
        entries.some((other) => mayHaveMeaning(other)),
      );
    }
    this.#batch.entries.set(url, [...(this.#batch.entries.get(url) ?? []), entry]);
    this.#batch.items++;
    this.#batch.bytes += item.payload.length;
    if (this.#batch.items >= BATCH_ITEMS || this.#batch.bytes >= BATCH_BYTES) await this.commit();
  }

  #conclude(
    url: CanonicalUrl,
    item: Archivable,
    meaning: Meaning,
    { record, isDoubtful }: Conclusion,
    isKnown: boolean,
  ): void {
    if (record) this.#journal.append(record);
    if (record?.kind === 'page') {
      this.report.pages++;
      if (isShortened(record.page)) this.report.shortened++;
    } else if (record?.kind === 'alias') this.report.aliases++;
    else if (record?.kind === 'gone') this.report.gone++;
    const key = fingerprint(url);
    const status = 'status' in item ? item.status : 200;
    const { fetchedAt } = item;
    if (!isKnown) this.#batch.discovered.push({ url, fingerprint: key, depth: 0 });
    const reason = reasonOf(meaning, record);
    const document = documentOf(item, record, this.#near.entryOf(key));
    const known = this.#batch.results.findLast((result) => result.fingerprint === key)?.last;
    const previous = known ?? this.#state.lastCapture(key);
    const last = captureOfImport({ previous, document, isDoubtful }, this.#options);
    const result = { fingerprint: key, attempts: 0, status, reason, fetchedAt, ...(last && { last }) };
    this.#batch.results.push({ ...result, state: 'done' });
  }

  /** What the journal is told, and the item with the capture that it repeats, if it does. */
  async #recordOf(
    item: Archivable,
    meaning: Meaning,
    url: CanonicalUrl,
  ): Promise<{ item: Archivable; record: JournalRecord | null } | 'orphan'> {
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
    { page, digest }: Extract<Meaning, { kind: 'page' }>,
    url: CanonicalUrl,
  ): Promise<{ item: Archivable; record: JournalRecord }> {
    const { fetchedAt, payloadDigest } = item;
    const owner = this.#batch.contents.get(digest) ?? (await this.#state.contentOwner(digest));
    if (!owner || owner.url === url) {
      // A document was chosen by somebody: what it nearly repeats was, too.
      const near = 'duplicateOf' in item ? this.#near.judge(url, page, fetchedAt) : null;
      this.#batch.contents.set(digest, { url, fetchedAt, payloadDigest });
      return { item, record: near ?? { kind: 'page', url, fetchedAt, digest, page } };
    }
    const isArchived = owner.payloadDigest === payloadDigest && 'duplicateOf' in item;
    const stored = isArchived ? { ...item, duplicateOf: owner } : item;
    return { item: stored, record: { kind: 'alias', url, fetchedAt, of: owner.url, reason: 'duplicate' } };
  }

  async #revisit(
    item: Archivable,
    meaning: Extract<Meaning, { kind: 'revisit' }>,
    url: CanonicalUrl,
  ): Promise<{ item: Archivable; record: JournalRecord | null } | 'orphan'> {
    const of = canonicalize(meaning.url);
    if (!of) return 'orphan';
    // The original may be part of this batch.
    if (this.#batch.entries.has(of)) await this.commit();
    if (!findOriginal(this.#reader, { ...meaning, url: of })) return 'orphan';
    const stored = { ...(item as Capture), duplicateOf: { url: of, fetchedAt: meaning.fetchedAt } };
    const { fetchedAt } = item;
    const record: JournalRecord = { kind: 'alias', url, fetchedAt, of, reason: 'duplicate' };
    return { item: stored, record: of === url ? null : record };
  }

  /** The captures of a URL, the newest first: those of this batch were the last to come. */
  #entriesOf(url: CanonicalUrl): CdxEntry[] {
    const pending = this.#batch.entries.get(url) ?? [];
    return [...pending.toReversed(), ...this.#reader.find(url)];
  }
}

/** What the journal is told. */
interface Conclusion {
  record: JournalRecord | null;
  /** The first word that a page is gone. */
  isDoubtful: boolean;
}

interface Batch extends Pick<CrawlBatch, 'discovered' | 'results' | 'contents'> {
  entries: Map<string, CdxEntry[]>;
  items: number;
  bytes: number;
}

function emptyBatch(): Batch {
  return { discovered: [], results: [], contents: new Map(), entries: new Map(), items: 0, bytes: 0 };
}

export function tooLarge(sizeBytes: number): string {
  return `${formatSize(sizeBytes)} is more than the ${formatSize(MAX_DOCUMENT_BYTES)} that a document may have`;
}

/** A page of the past owns no content any more, and a doubtful word that it is gone is not passed on. */
function withheld(meaning: Meaning): Meaning {
  return meaning.kind === 'page' || meaning.kind === 'gone' ? { kind: 'nothing' } : meaning;
}

function isSame(entry: CdxEntry, item: Archivable): boolean {
  return entry.timestamp === cdxTimestamp(item.fetchedAt) && entry.digest === `sha1:${item.payloadDigest}`;
}

/** As it would stand in a CDXJ file, before it has a place. */
function entryOf(item: Archivable): CdxEntry {
  return { ...describeItem(item), offset: 0, length: 0, filename: '' };
}
