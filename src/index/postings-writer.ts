/** Encodes the postings of one term after the other; see postings-format.ts for the bytes. */
import { ByteWriter } from '../base/mod.ts';
import type { DocId } from './document.ts';
import { POSTINGS_BLOCK } from './postings-format.ts';

export class PostingsWriter {
  /** Encoded places: what was appended here since the last `add` belongs to the next one. */
  readonly positions = new ByteWriter();
  readonly #postings = new ByteWriter();
  readonly #body = new ByteWriter();
  readonly #docs = new Uint32Array(POSTINGS_BLOCK);
  readonly #frequencies = new Uint32Array(POSTINGS_BLOCK);
  readonly #lengths = new Uint32Array(POSTINGS_BLOCK);
  #count = 0;
  #docCount = 0;
  #lastDoc = -1;
  #positionsDone = 0;

  get docCount(): number {
    return this.#docCount;
  }

  /** Appends one document. Documents must ascend; the callers walk them in order. */
  add(doc: DocId, frequency: number): void {
    this.#docs[this.#count] = doc;
    this.#frequencies[this.#count] = frequency;
    this.#lengths[this.#count] = this.positions.length - this.#positionsDone;
    this.#positionsDone = this.positions.length;
    this.#docCount++;
    if (++this.#count === POSTINGS_BLOCK) this.#endBlock();
  }

  /** The encoded postings of all documents added; valid until the next write. */
  finish(): Buffer {
    if (this.#count > 0) this.#endBlock();
    return this.#postings.view();
  }

  /** Makes ready for the next term. */
  clear(): void {
    this.positions.clear();
    this.#postings.clear();
    this.#count = 0;
    this.#docCount = 0;
    this.#lastDoc = -1;
    this.#positionsDone = 0;
  }

  #endBlock(): void {
    const count = this.#count;
    const body = this.#body;
    body.clear();
    let last = this.#lastDoc;
    for (let i = 0; i < count; i++) {
      body.varint(this.#docs[i]! - last);
      last = this.#docs[i]!;
    }
    for (let i = 0; i < count; i++) body.varint(this.#frequencies[i]!);
    let positionBytes = 0;
    for (let i = 0; i < count; i++) {
      body.varint(this.#lengths[i]!);
      positionBytes += this.#lengths[i]!;
    }
    this.#postings.u8(count);
    this.#postings.varint(last - this.#lastDoc);
    this.#postings.varint(body.length);
    this.#postings.varint(positionBytes);
    this.#postings.raw(body.view());
    this.#lastDoc = last;
    this.#count = 0;
  }
}
