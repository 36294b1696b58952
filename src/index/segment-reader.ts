/**
 * Reads a segment; see segment-format.ts for the bytes.
 *
 * In memory are the tables; postings, dictionary blocks and stored documents are read when asked for.
 * The file stays open, so a reader outlives the removal of its file by a merge.
 */
import {
  ByteReader,
  CorruptError,
  checkSealHeader,
  type Directory,
  damageOf,
  GyreError,
  type RandomFile,
  SEAL_FOOTER_BYTES,
  SEAL_HEADER_BYTES,
} from '../base/mod.ts';
import { hasSeveralForms, type TermEntry, type WordOfTerm } from './dictionary-format.ts';
import { DictionaryReader, WordsReader } from './dictionary-reader.ts';
import type { DocId, DocumentRow, StoredDocument } from './document.ts';
import { type DocumentTable, decodeTable, findFingerprint } from './document-table.ts';
import { type PositionsSource, PostingsCursor } from './postings-reader.ts';
import {
  DOCUMENTS_AT,
  decodeFooter,
  FOOTER_BYTES,
  OLDEST_VERSION,
  SEGMENT_KIND,
  type SegmentFooter,
} from './segment-format.ts';
import { beginningsAmong, spellingsAmong } from './spellings.ts';
import { StoredReader } from './stored-reader.ts';
import type { TermLists } from './term-lists.ts';

const READ_AHEAD_BYTES = 256 * 1024;
/** Up to here the positions of a term are read at once; beyond, block by block. */
const POSITIONS_AT_ONCE = 64 * 1024;
/** Words whose spellings are known, at about 100 bytes each. */
const MAX_SPELLED = 16_384;

/** A segment of a format that is no longer read. What is in it is in the journal too. */
export class OldSegmentError extends GyreError {
  constructor(file: string, version: number) {
    super(
      'old-format',
      `${file} has format version ${version}, this Gyre reads ${OLDEST_VERSION} to ${SEGMENT_KIND.version}: delete the index directory and run \`gyre build\`, which makes it anew`,
    );
  }
}

/** A word as it stands in documents. */
export interface WordEntry {
  word: string;
  docCount: number;
}

/**
 * Opens a segment. Its bytes are trusted until someone calls `verify`, or until they make no sense: then the checksum
 * tells whether the file is damaged.
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
  /** Of words that were asked for lately. */
  readonly #spellings = new Map<string, readonly string[]>();
  #ahead: Buffer = Buffer.alloc(0);
  #aheadAt = 0;
  /** The columns of the document table, for who walks many documents. */
  readonly table: DocumentTable;

  /** The envelope of `file` has been checked. */
  constructor(file: RandomFile) {
    const footerAt = file.size - SEAL_FOOTER_BYTES - FOOTER_BYTES;
    this.#file = file;
    this.#footer = decodeFooter(file.read(footerAt, FOOTER_BYTES), file.name, footerAt);
    const { tablesAt, dictionaryAt, wordsAt, termCount, wordCount, docCount } = this.#footer;
    const tables = new ByteReader(file.read(tablesAt, footerAt - tablesAt), file.name);
    this.#dictionary = new DictionaryReader(file, dictionaryAt, termCount, tables);
    this.#words = new WordsReader(file, wordsAt, wordCount, tables);
    this.#stored = new StoredReader(file, DOCUMENTS_AT, tables);
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

  /** The one at the end of the file, in hexadecimal digits: it tells a segment from any other. */
  get checksum(): string {
    const bytes = this.#file.read(this.#file.size - SEAL_FOOTER_BYTES, SEAL_FOOTER_BYTES);
    return bytes.readUInt32LE().toString(16).padStart(8, '0');
  }

  /** How much of it are the stored documents. */
  get storedBytes(): number {
    return this.#footer.postingsAt - DOCUMENTS_AT;
  }

  findTerm(term: string): TermEntry | null {
    return this.#dictionary.find(term);
  }

  /** All terms from `from` on, ascending. */
  terms(from = ''): Generator<TermEntry> {
    return this.#dictionary.terms(from);
  }

  /** The words that are not their own term, ascending. */
  wordsOfTerms(): Generator<WordOfTerm> {
    return this.#words.words();
  }

  /** The words of the documents from `from` on, ascending. A word of documents in several languages may come twice. */
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

  /** The words of the documents that fold to the same, but for the one that is folded already. */
  spellingsOf(folded: string): readonly string[] {
    const known = this.#spellings.get(folded);
    if (known) return known;
    const found = spellingsAmong((from) => this.#words.firstFrom(from), folded);
    if (this.#spellings.size >= MAX_SPELLED) this.#spellings.clear();
    this.#spellings.set(folded, found);
    return found;
  }

  /** The beginnings of words of the documents that fold to this one, but for itself. */
  beginningsOf(folded: string): readonly string[] {
    return beginningsAmong((from) => this.#words.firstFrom(from), folded);
  }

  /** The positions are read when they are asked for. */
  postings(entry: TermEntry): PostingsCursor {
    const bytes = this.#file.read(entry.postingsAt, entry.postingsBytes);
    return this.#cursor(bytes, entry, this.#positionsOf(entry));
  }

  /** The postings of a term as they are in the file, for the search kernel. */
  postingsBytes(entry: TermEntry): Buffer {
    return this.#file.read(entry.postingsAt, entry.postingsBytes);
  }

  positionsBytes(entry: TermEntry): Buffer {
    return this.#file.read(entry.postingsAt + entry.postingsBytes, entry.positionBytes);
  }

  /** For a walk over all terms in order: brings the positions too, and reads ahead. */
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

  /** What is stored of a document, as stored-record.ts encodes it; valid until another one is asked for. */
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
      urlDepth: table.urlDepths[doc]!,
      stemming: table.stemmings[doc]!,
      language: table.languages[table.languageOf[doc]!]!,
      type: table.types[table.typeOf[doc]!]!,
      day: table.days[doc]!,
      quality: table.qualities[doc]!,
    };
  }

  host(doc: DocId): string {
    return this.table.hosts[this.table.hostOf[doc]!]!;
  }

  /** The document of the URL with this fingerprint, or -1. */
  findDocument(fingerprint: bigint): DocId {
    return findFingerprint(this.table, fingerprint);
  }

  /** Reads the whole file once and compares its checksum; throws a `CorruptError` if it is not right. */
  verify(): void {
    const damage = damageOf(this.#file);
    if (damage) throw damage;
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
    const origin = { file: this.name, offset: entry.postingsAt };
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
  if (version < OLDEST_VERSION) throw new OldSegmentError(file.name, version);
  if (file.size < least) throw new CorruptError(file.name, file.size, `${least} bytes`, 'the end');
}
