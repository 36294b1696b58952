/**
 * Calls the WebAssembly kernel that encodes postings. It runs in the memory that contains its input.
 * assembly/encode.ts has its code and describes the layout of its memory.
 */

import { type ByteWriter, loadKernel } from '../../base/mod.ts';
import { MAX_FORMS } from '../dictionary/mod.ts';
import { FIELD_WEIGHTS } from '../fields.ts';

/** The functions that the kernel assembly/encode.ts exports. */
export interface EncodeCalls {
  setUp(at: number, window: number, fieldWeights: bigint): void;
  start(formCount: number): void;
  addPairs(from: number, end: number): number;
  addPlaces(doc: number, from: number, end: number, isWhole: number, weight: number): number;
  taken(): void;
  finish(): void;
  countForms(from: number, end: number): void;
}

const STATE_BYTES = 16;
const FORMS_BYTES = 9 * MAX_FORMS;
const BUFFERS_BYTES = 7 * 512;
const WINDOW_BYTES = 64 * 1024;
const POSTINGS_AT = STATE_BYTES + FORMS_BYTES + BUFFERS_BYTES;

const PLACES_AT = POSTINGS_AT + 2 * WINDOW_BYTES;
/** The maximum number of occurrences of a term in one document that are passed in one call. */
export const MAX_PLACES = 4096;

/** The size in bytes of the encoder's memory, including the input buffer. */
export const ENCODER_BYTES = PLACES_AT + 8 * MAX_PLACES;

export class EncodeKernel {
  readonly calls: EncodeCalls;
  /**
   * A view of the input buffer. It has two numbers for each occurrence of a term: its place (position and field, see
   * fields.ts), and the number of the word form in which the term is written there.
   */
  readonly places: Uint32Array;
  readonly #at: number;
  readonly #bytes: Uint8Array;
  readonly #state: Uint32Array;
  /**
   * A view of the kernel's memory: for each form of the term, the number of documents that contain this form.
   * It is valid until the next call.
   */
  readonly formDocs: Uint32Array;

  /**
   * The encoder uses `ENCODER_BYTES` bytes of the memory from the address `at` on, which must be a multiple of
   * 8. The memory must not grow afterwards. `calls` has the kernel functions if a larger kernel that contains
   * the encoder already runs in this memory.
   */
  constructor(
    memory: WebAssembly.Memory,
    at: number,
    calls: EncodeCalls = loadKernel(new URL('./encode.wasm', import.meta.url), memory),
  ) {
    const { buffer } = memory;
    this.#at = at;
    this.#bytes = new Uint8Array(buffer);
    this.#state = new Uint32Array(buffer, at, STATE_BYTES / 4);
    this.formDocs = new Uint32Array(buffer, at + STATE_BYTES, MAX_FORMS);
    this.places = new Uint32Array(buffer, at + PLACES_AT, 2 * MAX_PLACES);
    this.calls = calls;
    this.calls.setUp(at, WINDOW_BYTES, Buffer.from(FIELD_WEIGHTS).readBigUInt64LE());
  }

  get docCount(): number {
    return this.#state[0]!;
  }

  /**
   * Sets the form numbers that are written to the segment. `numbers` is indexed by the temporary form numbers
   * in the input of `addPairs`.
   */
  setFormNumbers(numbers: Uint8Array): void {
    this.#bytes.set(numbers, this.#at + STATE_BYTES + 8 * MAX_FORMS);
  }

  /** The number of bytes of postings in the output window. */
  get postingsBytes(): number {
    return this.#state[1]!;
  }

  get positionBytes(): number {
    return this.#state[2]!;
  }

  /** Appends the postings in the output window to `out`. */
  copyPostings(out: ByteWriter): void {
    const from = this.#at + POSTINGS_AT;
    out.copy(this.#bytes, from, from + this.postingsBytes);
  }

  copyPositions(out: ByteWriter): void {
    const from = this.#at + POSTINGS_AT + WINDOW_BYTES;
    out.copy(this.#bytes, from, from + this.positionBytes);
  }

  /** The address of the input buffer for the places (positions with fields) of words. */
  get placesAt(): number {
    return this.#at + PLACES_AT;
  }
}
