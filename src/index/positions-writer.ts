/** Encodes the places of one term after the other; see postings-format.ts for the bytes. */
import { ByteWriter } from '../base/mod.ts';
import { Field } from './fields.ts';
import { PACKED_COUNT, packBlock } from './packing.ts';

export class PositionsWriter {
  readonly #out = new ByteWriter();
  readonly #block = new ByteWriter();
  readonly #gaps = new Uint32Array(PACKED_COUNT);
  readonly #fields = new Uint32Array(PACKED_COUNT);
  #count = 0;

  /** Where the block with the next place begins. */
  get blockAt(): number {
    return this.#out.length;
  }

  add(gap: number, field: Field): void {
    this.#gaps[this.#count] = gap;
    this.#fields[this.#count] = field;
    if (++this.#count === PACKED_COUNT) this.#endBlock();
  }

  finish(): Buffer {
    if (this.#count > 0 && this.#out.length > 0) this.#out.u8(0);
    for (let i = 0; i < this.#count; i++) {
      const field = this.#fields[i]!;
      this.#out.varint(2 * this.#gaps[i]! + (field === Field.body ? 0 : 1));
      if (field !== Field.body) this.#out.u8(field);
    }
    return this.#out.view();
  }

  clear(): void {
    this.#out.clear();
    this.#count = 0;
  }

  #endBlock(): void {
    this.#block.clear();
    packBlock(this.#gaps, this.#block);
    packBlock(this.#fields, this.#block);
    this.#out.varint(this.#block.length);
    this.#out.raw(this.#block.view());
    this.#count = 0;
  }
}
