/** Walks the postings of one term in one segment; see postings-format.ts for the bytes. */
import { ByteReader, CorruptError } from '../base/mod.ts';
import type { DocId } from './document.ts';
import { NO_MORE_DOCS, POSTINGS_BLOCK } from './postings-format.ts';

/** Reads a part of the term's positions: `at` is relative to their beginning. */
export type PositionsSource = (at: number, length: number) => Buffer;

export interface PostingsOrigin {
  file: string;
  offset: number;
}

export class PostingsCursor {
  readonly #bytes: Buffer;
  readonly #origin: PostingsOrigin;
  readonly #source: PositionsSource;
  readonly #docs: Uint32Array;
  readonly #frequencies: Uint32Array;
  readonly #lengths: Uint32Array;
  #doc: DocId = -1;
  #index = 0;
  #count = 0;
  #lastDoc = -1;
  #nextBlock = 0;
  #positionsAt = 0;
  #nextPositions = 0;

  /** Stands before the first document. Most lists are short, so room is made for `docCount` at most. */
  constructor(bytes: Buffer, docCount: number, origin: PostingsOrigin, source: PositionsSource) {
    const blockSize = Math.min(docCount, POSTINGS_BLOCK);
    this.#docs = new Uint32Array(blockSize);
    this.#frequencies = new Uint32Array(blockSize);
    this.#lengths = new Uint32Array(blockSize);
    this.#bytes = bytes;
    this.#origin = origin;
    this.#source = source;
  }

  /** The current document: -1 before the first, `NO_MORE_DOCS` after the last. */
  get doc(): DocId {
    return this.#doc;
  }

  /** The weighted frequency in the current document. */
  get frequency(): number {
    return this.#frequencies[this.#index]!;
  }

  advance(): DocId {
    this.#positionsAt += this.#lengths[this.#index]!;
    if (++this.#index < this.#count) this.#doc = this.#docs[this.#index]!;
    else this.#enterBlock(0);
    return this.#doc;
  }

  /** Goes to the first document that is not before `target`; never goes back. */
  seek(target: DocId): DocId {
    if (this.#doc >= target) return this.#doc;
    if (this.#lastDoc < target) this.#enterBlock(target);
    while (this.#doc < target) this.advance();
    return this.#doc;
  }

  /** The bytes of the current document's places. */
  positionBytes(): Buffer {
    return this.#source(this.#positionsAt, this.#lengths[this.#index]!);
  }

  /** The first `limit` places of the current document, ascending by position. */
  places(limit = Number.POSITIVE_INFINITY): number[] {
    const bytes = this.positionBytes();
    const places: number[] = [];
    let place = 0;
    for (let at = 0; at < bytes.length && places.length < limit; ) {
      let step = 0;
      let scale = 1;
      let byte = bytes[at++]!;
      for (; byte >= 0x80 && at < bytes.length; byte = bytes[at++]!) {
        step += (byte & 0x7f) * scale;
        scale *= 0x80;
      }
      step += byte * scale;
      place = (place & ~7) + step;
      places.push(place);
    }
    return places;
  }

  /** Decodes the next block whose last document is not before `target` and stands on its first. */
  #enterBlock(target: DocId): void {
    while (this.#nextBlock < this.#bytes.length) {
      const reader = new ByteReader(this.#bytes, this.#origin.file, this.#nextBlock);
      const count = reader.u8();
      const before = this.#lastDoc;
      this.#lastDoc = before + reader.varint();
      const bodyBytes = reader.varint();
      this.#positionsAt = this.#nextPositions;
      this.#nextPositions += reader.varint();
      this.#nextBlock = reader.at + bodyBytes;
      if (this.#lastDoc < target) continue;
      this.#decodeBody(reader.at, count, before);
      return;
    }
    this.#count = 0;
    this.#doc = NO_MORE_DOCS;
    this.#lastDoc = NO_MORE_DOCS;
  }

  #decodeBody(from: number, count: number, before: DocId): void {
    const most = this.#docs.length;
    if (count === 0 || count > most) throw this.#corrupt(from, `1 to ${most} postings`, `${count}`);
    let at = decodeVarints(this.#bytes, from, count, this.#docs);
    at = decodeVarints(this.#bytes, at, count, this.#frequencies);
    at = decodeVarints(this.#bytes, at, count, this.#lengths);
    if (at !== this.#nextBlock)
      throw this.#corrupt(at, `the end of the block at ${this.#nextBlock}`, `${at}`);
    let doc = before;
    for (let i = 0; i < count; i++) this.#docs[i] = doc += this.#docs[i]!;
    if (doc !== this.#lastDoc) throw this.#corrupt(from, `last document ${this.#lastDoc}`, `${doc}`);
    this.#count = count;
    this.#index = 0;
    this.#doc = this.#docs[0]!;
  }

  #corrupt(at: number, expected: string, got: string): CorruptError {
    return new CorruptError(this.#origin.file, this.#origin.offset + at, expected, got);
  }
}

/** The inner loop of reading. A list that runs over the end ends there: the caller compares positions. */
function decodeVarints(bytes: Buffer, from: number, count: number, out: Uint32Array): number {
  let at = from;
  for (let i = 0; i < count; i++) {
    let byte = bytes[at++]!;
    let value = byte & 0x7f;
    for (let shift = 7; byte >= 0x80; shift += 7) {
      byte = bytes[at++]!;
      value += (byte & 0x7f) * 2 ** shift;
    }
    out[i] = value;
  }
  return at;
}
