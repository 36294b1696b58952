/**
 * Reads anchor lists; anchor-lists-format.ts describes the bytes. The samples of the dictionary and the votes
 * are held in memory.
 */
import {
  ByteReader,
  CorruptError,
  checkSealed,
  type Directory,
  type RandomFile,
  SEAL_FOOTER_BYTES,
  SEAL_HEADER_BYTES,
} from '../../base/mod.ts';
import { DictionaryReader, type TermEntry } from '../dictionary/mod.ts';
import { PostingsCursor, type TermLists } from '../postings/mod.ts';
import { ANCHOR_FOOTER_BYTES, ANCHOR_LISTS_KIND, decodeAnchorFooter } from './anchor-lists-format.ts';

/** Opens the anchor lists of a segment with `docCount` documents, and verifies their checksum. */
export function openAnchorLists(directory: Directory, name: string, docCount: number): AnchorLists {
  const file = directory.open(name);
  try {
    checkSealed(file, ANCHOR_LISTS_KIND);
    return new AnchorLists(file, docCount);
  } catch (error) {
    file.close();
    throw error;
  }
}

export class AnchorLists implements TermLists {
  readonly #file: RandomFile;
  readonly #dictionary: DictionaryReader;
  /** For each document, the total weight of its anchor texts. */
  readonly votes: Uint16Array;

  /** Opens an anchor lists file. The caller has verified its magic, version and checksum. */
  constructor(file: RandomFile, docCount: number) {
    this.#file = file;
    const footerAt = file.size - SEAL_FOOTER_BYTES - ANCHOR_FOOTER_BYTES;
    if (footerAt < SEAL_HEADER_BYTES) throw new CorruptError(file.name, file.size, 'a footer', 'the end');
    const footer = decodeAnchorFooter(file.read(footerAt, ANCHOR_FOOTER_BYTES), file.name, footerAt);
    if (footer.docCount !== docCount)
      throw new CorruptError(file.name, footerAt, `${docCount} documents`, `${footer.docCount}`);
    const { dictionaryAt, samplesAt, termCount } = footer;
    const tables = new ByteReader(file.read(samplesAt, footerAt - samplesAt), file.name);
    this.#dictionary = new DictionaryReader(file, dictionaryAt, termCount, tables);
    this.votes = new Uint16Array(docCount);
    new Uint8Array(this.votes.buffer).set(tables.raw(this.votes.byteLength));
  }

  get docCount(): number {
    return this.votes.length;
  }

  findTerm(term: string): TermEntry | null {
    return this.#dictionary.find(term);
  }

  /** Yields all terms of the anchor texts, ascending. */
  terms(): Generator<TermEntry> {
    return this.#dictionary.terms();
  }

  postings(entry: TermEntry): PostingsCursor {
    const origin = { file: this.#file.name, offset: entry.postingsAt };
    let all: Buffer | undefined;
    const source = (at: number, length: number) => {
      all ??= this.positionsBytes(entry);
      return all.subarray(at, at + length);
    };
    return new PostingsCursor(this.postingsBytes(entry), entry.docCount, origin, source, false);
  }

  postingsBytes(entry: TermEntry): Buffer {
    return this.#file.read(entry.postingsAt, entry.postingsBytes);
  }

  positionsBytes(entry: TermEntry): Buffer {
    return this.#file.read(entry.postingsAt + entry.postingsBytes, entry.positionBytes);
  }

  close(): void {
    this.#file.close();
  }
}
