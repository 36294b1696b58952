/** Encodes the places of one term after the other; see postings-format.ts for the bytes. */
import { ByteWriter } from '../base/mod.ts';
import type { Field } from './fields.ts';
import { PACKED_COUNT, packBlock } from './packing.ts';
import { FORM_SCALE } from './postings-format.ts';

export class PositionsWriter {
  readonly #out = new ByteWriter();
  readonly #block = new ByteWriter();
  readonly #gaps = new Uint32Array(PACKED_COUNT);
  readonly #fields = new Uint32Array(PACKED_COUNT);
  readonly #forms = new Uint32Array(PACKED_COUNT);
  #hasForms = false;
  #count = 0;

  /** Where the block with the next place begins. */
  get blockAt(): number {
    return this.#out.length;
  }

  /** Makes ready for the next term, which has several forms or one. */
  start(hasForms: boolean): void {
    this.#out.clear();
    this.#count = 0;
    this.#hasForms = hasForms;
  }

  add(gap: number, field: Field, form: number): void {
    this.#gaps[this.#count] = gap;
    this.#fields[this.#count] = field;
    this.#forms[this.#count] = form;
    if (++this.#count === PACKED_COUNT) this.#endBlock();
  }

  finish(): Buffer {
    if (this.#count > 0 && this.#out.length > 0) this.#out.u8(0);
    for (let i = 0; i < this.#count; i++) {
      const kind = FORM_SCALE * this.#forms[i]! + this.#fields[i]!;
      this.#out.varint(2 * this.#gaps[i]! + (kind === 0 ? 0 : 1));
      if (kind > 0) this.#out.varint(kind);
    }
    return this.#out.view();
  }

  #endBlock(): void {
    this.#block.clear();
    packBlock(this.#gaps, this.#block);
    packBlock(this.#fields, this.#block);
    if (this.#hasForms) packBlock(this.#forms, this.#block);
    this.#out.varint(this.#block.length);
    this.#out.raw(this.#block.view());
    this.#count = 0;
  }
}
