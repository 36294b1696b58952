/**
 * Reads the places of one term, block by block; postings-format.ts describes the bytes.
 *
 * Only the blocks that are needed are read. The last decoded block is kept, because the places of the next
 * document usually begin in it.
 */
import { CorruptError } from '../../base/mod.ts';
import type { DocId } from '../document.ts';
import { type Field, placeOf } from '../fields.ts';
import { PACKED_COUNT, unpackBlock } from './packing.ts';
import { FORM_SCALE } from './postings-format.ts';
import type { PositionsSource, PostingsOrigin } from './postings-reader.ts';
import type { PostingsWriter } from './postings-writer.ts';

/**
 * The maximum size of an encoded block of places in bytes: three lists of 128 numbers, all of them exceptions.
 */
const MAX_BLOCK_BYTES = 3072;

/**
 * A point at which reading can start: the offset of a block of places (occurrences of the term), and the index
 * of the block's first place among all places of the term.
 */
export interface PlacesAnchor {
  at: number;
  index: number;
}

export class PositionsReader {
  readonly #source: PositionsSource;
  readonly #origin: PostingsOrigin;
  readonly #hasBlocks: boolean;
  readonly #gaps: Uint32Array;
  readonly #fields: Uint32Array;
  readonly #forms: Uint32Array;
  readonly #hasForms: boolean;
  #first = 0;
  #end = 0;
  #nextAt = 0;
  /**
   * The offset of the next byte to read in the last block of places. This block has fewer than 128 places and
   * is read place by place.
   */
  #lastAt = 0;

  /**
   * `placeCount` is the number of places (occurrences of the term). It must be exact if it is less than 128,
   * because only this much memory is then allocated.
   */
  constructor(source: PositionsSource, origin: PostingsOrigin, placeCount: number, hasForms: boolean) {
    const capacity = Math.min(placeCount, PACKED_COUNT);
    this.#gaps = new Uint32Array(capacity);
    this.#fields = new Uint32Array(capacity);
    this.#forms = new Uint32Array(capacity);
    this.#source = source;
    this.#origin = origin;
    this.#hasBlocks = capacity === PACKED_COUNT;
    this.#hasForms = hasForms;
  }

  /**
   * Returns `count` places of one document. `start` is the index of the first of them among all places of the
   * term.
   */
  read(anchor: PlacesAnchor, start: number, count: number): number[] {
    const places: number[] = [];
    let position = 0;
    for (let index = start; index < start + count; index++) {
      if (index < this.#first || index >= this.#end) this.#goTo(anchor, index);
      const at = index - this.#first;
      position += this.#gaps[at]!;
      places.push(placeOf(position, this.#fields[at] as Field, this.#forms[at]!));
    }
    return places;
  }

  /**
   * Copies places to a writer, as places of the document `doc`. `forms` maps the form numbers of the source to
   * new ones.
   */
  copy(
    anchor: PlacesAnchor,
    start: number,
    count: number,
    doc: DocId,
    forms: ArrayLike<number>,
    to: PostingsWriter,
  ): void {
    let position = 0;
    for (let index = start; index < start + count; index++) {
      if (index < this.#first || index >= this.#end) this.#goTo(anchor, index);
      const at = index - this.#first;
      position += this.#gaps[at]!;
      const field = this.#fields[at]!;
      to.addPlace(doc, placeOf(position, field as Field), forms[this.#forms[at]!]!);
    }
  }

  #goTo(anchor: PlacesAnchor, index: number): void {
    if (index < this.#first || anchor.index >= this.#end) {
      this.#end = anchor.index;
      this.#nextAt = anchor.at;
    }
    while (index >= this.#end) {
      this.#first = this.#end;
      const isLast = this.#enterBlock(index);
      if (isLast && index >= this.#end) throw this.#corrupt(`place ${index}`, `${this.#end} places`);
    }
  }

  /**
   * Decodes the block of places at offset `#nextAt`. If the place with the index `index` is in a later block,
   * skips this block instead. Returns true if it is the last block.
   */
  #enterBlock(index: number): boolean {
    const bytes = this.#source(this.#nextAt, MAX_BLOCK_BYTES);
    const length = this.#hasBlocks ? bytes[0]! | 0 : 0;
    if (length === 0) return this.#decodeLast(bytes, this.#hasBlocks ? 1 : 0);
    const head = length < 0x80 ? 1 : 2;
    const body = head === 1 ? length : (length & 0x7f) | (bytes[1]! << 7);
    if (body + head > bytes.length) throw this.#corrupt(`${body} bytes of places`, `${bytes.length - head}`);
    if (index < this.#first + PACKED_COUNT) {
      const formsAt = unpackBlock(bytes, unpackBlock(bytes, head, this.#gaps), this.#fields);
      if (this.#hasForms) unpackBlock(bytes, formsAt, this.#forms);
    }
    this.#end = this.#first + PACKED_COUNT;
    this.#nextAt += head + body;
    return false;
  }

  #decodeLast(bytes: Uint8Array, from: number): true {
    this.#lastAt = from;
    let count = 0;
    for (; count < PACKED_COUNT && this.#lastAt < bytes.length; count++) {
      const code = this.#varint(bytes);
      const kind = code % 2 === 1 ? this.#varint(bytes) : 0;
      this.#gaps[count] = Math.floor(code / 2);
      this.#fields[count] = kind % FORM_SCALE;
      this.#forms[count] = Math.floor(kind / FORM_SCALE);
    }
    this.#end = this.#first + count;
    return true;
  }

  /**
   * Reads a varint. At the end of the bytes, stops without an error, because the checksum of the file detects
   * damage.
   */
  #varint(bytes: Uint8Array): number {
    let value = 0;
    for (let scale = 1; this.#lastAt < bytes.length; scale *= 0x80) {
      const byte = bytes[this.#lastAt++]!;
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) break;
    }
    return value;
  }

  #corrupt(expected: string, got: string): CorruptError {
    return new CorruptError(this.#origin.file, this.#origin.offset + this.#nextAt, expected, got);
  }
}
