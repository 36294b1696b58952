/**
 * Writes a segment in one pass: first all documents, then all terms in ascending order, then all words that
 * differ from their term.
 *
 * Held in memory: the rows of all documents, the dictionary, and the postings of one term. Until `finish`, the
 * file has the extension `.part`, and no reader sees it.
 */
import { crc32 } from 'node:zlib';
import {
  type AppendFile,
  ByteWriter,
  type Directory,
  partOf,
  SEAL_FOOTER_BYTES,
  sealHeader,
} from '../../base/mod.ts';
import {
  DictionaryWriter,
  type EncodedStrings,
  type TermForm,
  type WordOfTerm,
  WordsWriter,
} from '../dictionary/mod.ts';
import type { DocumentRow } from '../document.ts';
import type { PostingsWriter } from '../postings/mod.ts';
import { StoredWriter } from '../stored/mod.ts';
import { encodeTable } from './document-table.ts';
import { encodeFooter, SEGMENT_KIND } from './segment-format.ts';

const WRITE_BYTES = 256 * 1024;

export class SegmentWriter {
  readonly #directory: Directory;
  readonly #name: string;
  readonly #file: AppendFile;
  readonly #pending = new ByteWriter(2 * WRITE_BYTES);
  readonly #stored = new StoredWriter((bytes) => this.#write(bytes));
  readonly #dictionary = new DictionaryWriter();
  readonly #words = new WordsWriter();
  readonly #rows: DocumentRow[] = [];
  #checksum = 0;
  #postingsAt = 0;
  #isOpen = true;

  constructor(directory: Directory, name: string) {
    this.#directory = directory;
    this.#name = name;
    this.#file = directory.append(partOf(name), 0);
    this.#pending.raw(sealHeader(SEGMENT_KIND));
  }

  /**
   * Adds a document. `record` is its stored form, encoded by stored-record.ts; `row` is its row in the document
   * table.
   */
  addDocument(record: Uint8Array, row: DocumentRow): void {
    this.#stored.add(record);
    this.#rows.push(row);
  }

  /** Adds the postings of a term. `forms` is null if the only form of the term is the term itself. */
  addTerm(term: string, list: PostingsWriter, forms: readonly string[] | null): void {
    list.finish();
    this.#dictionary.add({
      term,
      docCount: list.docCount,
      postingsAt: this.postingsEnd,
      postingsBytes: list.postingsBytes,
      positionBytes: list.positionBytes,
      forms: forms?.map((word, form): TermForm => ({ word, docCount: list.docCountOf(form) })) ?? null,
    });
    this.appendList(list);
  }

  /** The file offset at which the next postings will be written. */
  get postingsEnd(): number {
    if (this.#postingsAt === 0) this.#startPostings();
    return this.#at;
  }

  /** Appends the postings and dictionary entries of terms that the indexing kernel has encoded. */
  appendTerms(postings: Uint8Array, entries: EncodedStrings): void {
    this.#write(postings);
    this.#dictionary.append(entries);
  }

  /** Appends the postings of one term. The caller then adds its dictionary entry with `appendTerms`. */
  appendList(list: PostingsWriter): void {
    list.copyPostings(this.#pending);
    list.copyPositions(this.#pending);
    if (this.#pending.length >= WRITE_BYTES) this.#flush();
  }

  appendWords(entries: EncodedStrings): void {
    this.#words.append(entries);
  }

  /** Adds a word that differs from its term. Words must be added in ascending order. */
  addWord(word: WordOfTerm): void {
    this.#words.add(word);
  }

  /** Completes the file, makes it durable and renames it to its final name. */
  async finish(): Promise<void> {
    if (this.#postingsAt === 0) this.#startPostings();
    const dictionaryAt = this.#at;
    this.#write(this.#dictionary.blocks());
    const wordsAt = this.#at;
    this.#write(this.#words.blocks());
    const tablesAt = this.#at;
    const tables = new ByteWriter(WRITE_BYTES);
    this.#dictionary.writeSamples(tables);
    this.#words.writeSamples(tables);
    this.#stored.writeFrames(tables);
    encodeTable(this.#rows, tables);
    this.#write(tables.view());
    const counts = {
      docCount: this.#rows.length,
      termCount: this.#dictionary.termCount,
      wordCount: this.#words.wordCount,
    };
    this.#write(encodeFooter({ postingsAt: this.#postingsAt, dictionaryAt, wordsAt, tablesAt, ...counts }));
    this.#flush();
    const checksum = Buffer.alloc(SEAL_FOOTER_BYTES);
    checksum.writeUInt32LE(this.#checksum);
    this.#file.write(checksum);
    await this.#file.sync();
    this.#close();
    this.#directory.rename(partOf(this.#name), this.#name);
  }

  /** Deletes the unfinished segment. */
  abandon(): void {
    this.#close();
    this.#directory.remove(partOf(this.#name));
  }

  #close(): void {
    if (this.#isOpen) this.#file.close();
    this.#isOpen = false;
  }

  get #at(): number {
    return this.#file.length + this.#pending.length;
  }

  #startPostings(): void {
    this.#stored.endFrame();
    this.#postingsAt = this.#at;
  }

  #write(bytes: Uint8Array): void {
    this.#pending.raw(bytes);
    if (this.#pending.length >= WRITE_BYTES) this.#flush();
  }

  #flush(): void {
    const bytes = this.#pending.view();
    this.#checksum = crc32(bytes, this.#checksum);
    this.#file.write(bytes);
    this.#pending.clear();
  }
}
