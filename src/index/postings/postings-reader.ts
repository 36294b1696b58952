/**
 * Reads the postings of one term in one segment, document by document. postings-format.ts describes the bytes.
 */
import { ByteReader, CorruptError } from '../../base/mod.ts';
import type { DocId } from '../document.ts';
import { FREQUENCY_UNIT, LEAST_WEIGHT } from '../fields.ts';
import { unpackBlock } from './packing.ts';
import { type PlacesAnchor, PositionsReader } from './positions-reader.ts';
import { NO_MORE_DOCS, POSTINGS_BLOCK } from './postings-format.ts';
import type { PostingsWriter } from './postings-writer.ts';

/**
 * Reads bytes of a term's encoded positions. `at` is an offset from the first of these bytes. Returns fewer
 * than `length` bytes at the end of the positions.
 */
export type PositionsSource = (at: number, length: number) => Buffer;

export interface PostingsOrigin {
  file: string;
  offset: number;
  /** The number of documents of the segment. A greater document number is damage. */
  docLimit?: number;
}

export class PostingsCursor {
  readonly #bytes: Buffer;
  readonly #docCount: number;
  readonly #origin: PostingsOrigin;
  readonly #source: PositionsSource;
  readonly #hasForms: boolean;
  readonly #docs: Uint32Array;
  readonly #frequencies: Uint32Array;
  readonly #counts: Uint32Array;
  #positions: PositionsReader | null = null;
  #doc: DocId = -1;
  #index = 0;
  #count = 0;
  #docsRead = 0;
  #lastDoc = -1;
  #nextBlock = 0;
  /**
   * A place is an occurrence of the term. `#firstPlace` is the index of the first place of the current block of
   * postings; `#placesAt` is the offset of the block of places that contains this place.
   */
  #firstPlace = 0;
  #placesAt = 0;
  #placesInBlock = 0;
  /**
   * The index of the first place of a document. `#placesOf` is the index of this document in the block of
   * postings.
   */
  #place = 0;
  #placesOf = 0;

  /**
   * Creates a cursor before the first document. It allocates memory for at most `docCount` documents, because
   * most postings lists are short.
   */
  constructor(
    bytes: Buffer,
    docCount: number,
    origin: PostingsOrigin,
    source: PositionsSource,
    hasForms: boolean,
  ) {
    const blockSize = Math.min(docCount, POSTINGS_BLOCK);
    this.#docs = new Uint32Array(blockSize);
    this.#frequencies = new Uint32Array(blockSize);
    this.#counts = new Uint32Array(blockSize);
    this.#bytes = bytes;
    this.#docCount = docCount;
    this.#origin = origin;
    this.#source = source;
    this.#hasForms = hasForms;
  }

  /** The current document; -1 before the first, `NO_MORE_DOCS` after the last. */
  get doc(): DocId {
    return this.#doc;
  }

  /** The weighted frequency of the term in the current document, in quarters of a word of body text. */
  get frequency(): number {
    return this.#frequencies[this.#index]!;
  }

  /** The number of occurrences of the term in the current document. */
  get count(): number {
    return this.#counts[this.#index]!;
  }

  advance(): DocId {
    if (++this.#index < this.#count) this.#doc = this.#docs[this.#index]!;
    else this.#enterBlock(0);
    return this.#doc;
  }

  /** Moves to the first document whose number is at least `target`, and returns it. Never moves backwards. */
  seek(target: DocId): DocId {
    if (this.#doc >= target) return this.#doc;
    if (this.#lastDoc < target) this.#enterBlock(target);
    while (this.#doc < target) this.advance();
    return this.#doc;
  }

  /**
   * Returns the places of the term (position, field and form, see fields.ts) in the current document,
   * ascending, at most `limit`.
   */
  places(limit = Number.POSITIVE_INFINITY): number[] {
    const positions = this.#positionsHere();
    return positions.read(this.#anchor(), this.#place, Math.min(limit, this.#counts[this.#index]!));
  }

  /**
   * Copies the places of the current document to a writer, as places of the document `doc`. `forms` maps the
   * form numbers of the source to new ones.
   */
  copyPlaces(to: PostingsWriter, doc: DocId, forms: ArrayLike<number>): void {
    const positions = this.#positionsHere();
    positions.copy(this.#anchor(), this.#place, this.#counts[this.#index]!, doc, forms, to);
  }

  /** Returns the reader of places, and sets `#place` to the index of the current document's first place. */
  #positionsHere(): PositionsReader {
    for (; this.#placesOf < this.#index; this.#placesOf++) this.#place += this.#counts[this.#placesOf]!;
    this.#positions ??= this.#openPositions();
    return this.#positions;
  }

  #anchor(): PlacesAnchor {
    return { at: this.#placesAt, index: this.#firstPlace - (this.#firstPlace % POSTINGS_BLOCK) };
  }

  #openPositions(): PositionsReader {
    let places = this.#docCount >= POSTINGS_BLOCK ? this.#docCount : 0;
    for (let i = 0; places < POSTINGS_BLOCK && i < this.#count; i++) places += this.#counts[i]!;
    return new PositionsReader(this.#source, this.#origin, places, this.#hasForms);
  }

  /**
   * Decodes the next block that has a document number of at least `target`, and moves to the first document of
   * that block.
   */
  #enterBlock(target: DocId): void {
    while (this.#docsRead < this.#docCount) {
      const before = this.#lastDoc;
      this.#firstPlace += this.#placesInBlock;
      const isFull = this.#docCount - this.#docsRead >= POSTINGS_BLOCK;
      const isEntered = isFull ? this.#enterFull(before, target) : this.#enterLast(before);
      if (isEntered) {
        this.#checkLast();
        this.#standOn(0);
        if (this.#lastDoc >= target) return;
      }
    }
    this.#count = 0;
    this.#doc = NO_MORE_DOCS;
    this.#lastDoc = NO_MORE_DOCS;
  }

  /** Document numbers ascend, so the last one of a block tells whether all of them exist. */
  #checkLast(): void {
    const { docLimit = NO_MORE_DOCS } = this.#origin;
    if (!(this.#lastDoc < docLimit))
      throw this.#corrupt(this.#nextBlock, `a document below ${docLimit}`, `${this.#lastDoc}`);
  }

  #standOn(index: number): void {
    this.#index = index;
    this.#doc = this.#docs[index]!;
    this.#place = this.#firstPlace;
    this.#placesOf = 0;
  }

  /**
   * Reads the head of a block of 128 postings. If all document numbers of the block are less than `target`,
   * returns false. Otherwise decodes the block and returns true.
   */
  #enterFull(before: DocId, target: DocId): boolean {
    const reader = new ByteReader(this.#bytes, this.#origin.file, this.#nextBlock);
    this.#lastDoc = before + reader.varint();
    const body = reader.varint();
    this.#placesInBlock = reader.varint();
    this.#placesAt += reader.varint();
    this.#docsRead += POSTINGS_BLOCK;
    this.#nextBlock = reader.at + Math.floor(body / 2);
    if (this.#lastDoc < target) return false;
    this.#decodeBody(reader.at, before, body % 2 === 1);
    this.#count = POSTINGS_BLOCK;
    return true;
  }

  #decodeBody(from: number, before: DocId, isMixed: boolean): void {
    let at = unpackBlock(this.#bytes, from, this.#docs);
    if (isMixed) at = unpackBlock(this.#bytes, at, this.#frequencies);
    at = unpackBlock(this.#bytes, at, this.#counts);
    if (at !== this.#nextBlock) {
      throw this.#corrupt(at, `the end of the block at ${this.#nextBlock}`, `${at}`);
    }
    let doc = before;
    for (let i = 0; i < POSTINGS_BLOCK; i++) {
      this.#docs[i] = doc += this.#docs[i]! + 1;
      this.#counts[i]!++;
      this.#frequencies[i] = isMixed ? this.#frequencies[i]! + 1 : FREQUENCY_UNIT * this.#counts[i]!;
    }
    if (doc !== this.#lastDoc) throw this.#corrupt(from, `last document ${this.#lastDoc}`, `${doc}`);
  }

  #enterLast(before: DocId): true {
    const reader = new ByteReader(this.#bytes, this.#origin.file, this.#nextBlock);
    if (this.#docsRead > 0) this.#placesAt += reader.varint();
    const count = this.#docCount - this.#docsRead;
    let doc = before;
    for (let i = 0; i < count; i++) {
      const code = reader.varint();
      this.#docs[i] = doc += Math.floor(code / 2) + 1;
      this.#counts[i] = code % 2 === 0 ? 1 : reader.varint() + 1;
      this.#frequencies[i] =
        code % 2 === 0 ? FREQUENCY_UNIT : LEAST_WEIGHT * this.#counts[i]! + reader.varint();
    }
    if (reader.remaining > 0) throw this.#corrupt(reader.at, 'the end', `${reader.remaining} more bytes`);
    this.#count = count;
    this.#lastDoc = doc;
    this.#docsRead = this.#docCount;
    return true;
  }

  #corrupt(at: number, expected: string, got: string): CorruptError {
    return new CorruptError(this.#origin.file, this.#origin.offset + at, expected, got);
  }
}
