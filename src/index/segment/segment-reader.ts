/**
 * Reads a segment; segment-format.ts describes the bytes.
 *
 * The tables are held in memory; postings, dictionary blocks and stored documents are read from the file when
 * needed. The file stays open, so the reader still works after a merge has removed the file.
 */
import {
  BoundedCache,
  ByteReader,
  CorruptError,
  checkSealHeader,
  type Directory,
  damageOf,
  findDamage,
  GyreError,
  type RandomFile,
  SEAL_FOOTER_BYTES,
  SEAL_HEADER_BYTES,
} from '../../base/mod.ts';
import {
  DictionaryReader,
  hasSeveralForms,
  type TermEntry,
  type WordOfTerm,
  WordsReader,
} from '../dictionary/mod.ts';
import type { DocId, DocumentRow, StoredDocument } from '../document.ts';
import { type PositionsSource, PostingsCursor, type TermLists } from '../postings/mod.ts';
import { signatureAt } from '../signature.ts';
import { type DocumentOpening, decodeOpening, StoredReader, urlOfRecord } from '../stored/mod.ts';
import { type DocumentTable, decodeTable, findDocument } from './document-table.ts';
import {
  DOCUMENTS_AT,
  decodeFooter,
  FOOTER_BYTES,
  OLDEST_SEGMENT_VERSION,
  SEGMENT_KIND,
  type SegmentFooter,
} from './segment-format.ts';

const READ_AHEAD_BYTES = 256 * 1024;
/** If the positions of a term take at most this many bytes, they are read at once; otherwise block by block. */
const POSITIONS_AT_ONCE = 64 * 1024;
/** The maximum number of words whose other spellings are cached, at about 100 bytes each. */
const MAX_SPELLED = 16_384;

/**
 * The error for a segment in an old format that is no longer supported. Its documents are still in the journal.
 */
class OldSegmentError extends GyreError {
  constructor(file: string, version: number) {
    super(
      'old-format',
      `${file} has format version ${version}, this Gyre reads version ${OLDEST_SEGMENT_VERSION} and later: run \`gyre build --rebuild\`, which indexes the journal again`,
    );
  }
}

/** A word as it is in documents, before stemming, and the number of documents that have it. */
interface WordEntry {
  word: string;
  docCount: number;
}

/**
 * Opens a segment without verifying its checksum; `verify` does that. If the tables cannot be decoded, the
 * checksum is computed, to find out whether the file is damaged.
 */
export function openSegment(directory: Directory, name: string): SegmentReader {
  const file = directory.open(name);
  try {
    checkEnvelope(file);
    return new SegmentReader(file);
  } catch (error) {
    try {
      throw damageOf(file) ?? error;
    } finally {
      file.close();
    }
  }
}

export class SegmentReader implements TermLists {
  readonly #file: RandomFile;
  readonly #footer: SegmentFooter;
  readonly #dictionary: DictionaryReader;
  readonly #words: WordsReader;
  readonly #stored: StoredReader;
  /** Caches the other spellings of recently used words. */
  readonly #spellings = BoundedCache.clearedWhenFull<string, readonly string[]>(MAX_SPELLED);
  #ahead: Buffer = Buffer.alloc(0);
  #aheadAt = 0;
  /** The document table, for callers that read the columns of many documents. */
  readonly table: DocumentTable;

  /** Opens a segment file whose magic, version and size the caller has checked. */
  constructor(file: RandomFile) {
    const footerAt = file.size - SEAL_FOOTER_BYTES - FOOTER_BYTES;
    this.#file = file;
    this.#footer = decodeFooter(file.read(footerAt, FOOTER_BYTES), file.name, footerAt);
    const { tablesAt, dictionaryAt, wordsAt, termCount, wordCount, docCount } = this.#footer;
    const tables = new ByteReader(file.read(tablesAt, footerAt - tablesAt), file.name);
    this.#dictionary = new DictionaryReader(file, dictionaryAt, termCount, tables);
    this.#words = new WordsReader(file, wordsAt, wordCount, tables);
    this.#stored = new StoredReader(file, DOCUMENTS_AT, docCount, tables);
    this.table = decodeTable(docCount, tables);
  }

  get name(): string {
    return this.#file.name;
  }

  get docCount(): number {
    return this.#footer.docCount;
  }

  get sizeBytes(): number {
    return this.#file.size;
  }

  /** The checksum at the end of the file, in hexadecimal; it identifies the segment. */
  get checksum(): string {
    const bytes = this.#file.read(this.#file.size - SEAL_FOOTER_BYTES, SEAL_FOOTER_BYTES);
    return bytes.readUInt32LE().toString(16).padStart(8, '0');
  }

  findTerm(term: string): TermEntry | null {
    return this.#dictionary.find(term);
  }

  /** Yields all terms from `from` on, ascending. */
  terms(from = ''): Generator<TermEntry> {
    return this.#dictionary.terms(from);
  }

  /** Yields the words that differ from their term, such as `nodding` for `nod`, ascending. */
  wordsOfTerms(): Generator<WordOfTerm> {
    return this.#words.words();
  }

  /**
   * Yields the words of the documents from `from` on, ascending. A word comes twice if it has different terms
   * in documents of different languages.
   */
  *words(from = ''): Generator<WordEntry> {
    const others = this.#words.words(from);
    let other = others.next();
    for (const entry of this.#dictionary.terms(from)) {
      for (; !other.done && other.value.word < entry.term; other = others.next())
        yield* this.#count(other.value);
      yield* countOf(entry.term, entry);
    }
    for (; !other.done; other = others.next()) yield* this.#count(other.value);
  }

  /**
   * Returns other spellings of a word: the words that differ from `folded` (the word without accents) only in
   * accents.
   */
  spellingsOf(folded: string): readonly string[] {
    return this.#spellings.remember(folded, () => this.#words.spellingsOf(folded));
  }

  /**
   * Returns prefixes of words that differ from `folded` only in accents, such as `pré` for `pre`. `folded`
   * itself is not returned.
   */
  beginningsOf(folded: string): readonly string[] {
    return this.#words.beginningsOf(folded);
  }

  /**
   * Returns a cursor over the postings of a term. Positions are read from the file only when the cursor needs
   * them.
   */
  postings(entry: TermEntry): PostingsCursor {
    const bytes = this.#file.read(entry.postingsAt, entry.postingsBytes);
    return this.#cursor(bytes, entry, this.#positionsOf(entry));
  }

  /** Returns the encoded postings of a term as they are in the file, for the search kernel. */
  postingsBytes(entry: TermEntry): Buffer {
    return this.#file.read(entry.postingsAt, entry.postingsBytes);
  }

  positionsBytes(entry: TermEntry): Buffer {
    return this.#file.read(entry.postingsAt + entry.postingsBytes, entry.positionBytes);
  }

  /**
   * Returns a cursor over the postings of a term, for a walk over all terms in order. Postings and positions
   * are read together, with read-ahead.
   */
  postingsWithPositions(entry: TermEntry): PostingsCursor {
    const { postingsBytes, positionBytes } = entry;
    const bytes = this.#readAhead(entry.postingsAt, postingsBytes + positionBytes);
    const positions = bytes.subarray(postingsBytes);
    const source: PositionsSource = (at, length) => positions.subarray(at, at + length);
    return this.#cursor(bytes.subarray(0, postingsBytes), entry, source);
  }

  document(doc: DocId): StoredDocument {
    return this.#stored.document(doc);
  }

  /**
   * Returns the beginning of a stored document, with at most `length` UTF-16 units of its text. The rest of the
   * text is not decoded.
   */
  opening(doc: DocId, length: number): DocumentOpening {
    return decodeOpening(this.#stored.record(doc), this.name, length);
  }

  url(doc: DocId): string {
    return urlOfRecord(this.#stored.record(doc), this.name);
  }

  /**
   * Returns the encoded record of a stored document (see stored-record.ts). It is valid until the next call.
   */
  storedRecord(doc: DocId): Buffer {
    return this.#stored.record(doc);
  }

  row(doc: DocId): DocumentRow {
    const { table } = this;
    return {
      fingerprint: table.fingerprints[doc]!,
      host: this.host(doc),
      length: table.lengths[doc]!,
      titleLength: table.titleLengths[doc]!,
      subjectStart: table.subjectStarts[doc]!,
      subjectLength: table.subjectLengths[doc]!,
      subjectSize: table.subjectSizes[doc]!,
      titleKey: table.titleKeys[doc]!,
      contentStart: table.contentStarts[doc]!,
      nameLength: table.nameLengths[doc]!,
      isEntry: table.entries[doc] === 1,
      urlDepth: table.urlDepths[doc]!,
      stemming: table.stemmings[doc]!,
      language: table.languages[table.languageOf[doc]!]!,
      type: table.types[table.typeOf[doc]!]!,
      day: table.days[doc]!,
      quality: table.qualities[doc]!,
      signature: signatureAt(table, doc),
      urlFit: table.urlFits[doc]!,
      translationKey: table.translationKeys[doc]!,
    };
  }

  host(doc: DocId): string {
    return this.table.hosts[this.table.hostOf[doc]!]!;
  }

  /** Returns the number of the document with this URL fingerprint, or -1. */
  findDocument(fingerprint: bigint): DocId {
    return findDocument(this.table, fingerprint);
  }

  /** Reads the whole file and verifies its checksum. Throws a `CorruptError` if the checksum is wrong. */
  verify(): void {
    const damage = damageOf(this.#file);
    if (damage) throw damage;
  }

  /**
   * Verifies the checksum in steps of one MiB; each `next` does one step. Returns the error, or null if the
   * file is intact.
   */
  verifyInSteps(): Generator<void, CorruptError | null> {
    return findDamage(this.#file);
  }

  close(): void {
    this.#file.close();
  }

  *#count({ word, term }: WordOfTerm): Generator<WordEntry> {
    const entry = this.#dictionary.find(term);
    if (entry) yield* countOf(word, entry);
  }

  #readAhead(position: number, length: number): Buffer {
    let at = position - this.#aheadAt;
    if (at < 0 || at + length > this.#ahead.length) {
      this.#ahead = this.#file.read(position, Math.min(this.sizeBytes - position, length + READ_AHEAD_BYTES));
      this.#aheadAt = position;
      at = 0;
    }
    return this.#ahead.subarray(at, at + length);
  }

  #cursor(bytes: Buffer, entry: TermEntry, source: PositionsSource): PostingsCursor {
    const origin = { file: this.name, offset: entry.postingsAt, docLimit: this.docCount };
    return new PostingsCursor(bytes, entry.docCount, origin, source, hasSeveralForms(entry));
  }

  #positionsOf(entry: TermEntry): PositionsSource {
    const from = entry.postingsAt + entry.postingsBytes;
    if (entry.positionBytes > POSITIONS_AT_ONCE) {
      return (at, length) => this.#file.read(from + at, Math.min(length, entry.positionBytes - at));
    }
    let all: Buffer | undefined;
    return (at, length) => {
      all ??= this.#file.read(from, entry.positionBytes);
      return all.subarray(at, at + length);
    };
  }
}

function* countOf(word: string, { term, docCount, forms }: TermEntry): Generator<WordEntry> {
  if (forms === null && word === term) yield { word, docCount };
  const form = forms?.find((form) => form.word === word);
  if (form) yield { word, docCount: form.docCount };
}

function checkEnvelope(file: RandomFile): void {
  const least = SEAL_HEADER_BYTES + FOOTER_BYTES + SEAL_FOOTER_BYTES;
  const header = file.read(0, Math.min(file.size, SEAL_HEADER_BYTES));
  checkSealHeader(header, SEGMENT_KIND, file.name);
  const version = header.readUInt32LE(SEAL_HEADER_BYTES - 4);
  if (version < OLDEST_SEGMENT_VERSION) throw new OldSegmentError(file.name, version);
  if (file.size < least) throw new CorruptError(file.name, file.size, `${least} bytes`, 'the end');
}
