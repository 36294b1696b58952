/**
 * The kernel that encodes postings, in whatever memory they lie: assembly/encode.ts has the code, and says what it keeps
 * at the place that it is given.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ByteWriter } from '../base/mod.ts';
import { FIELD_WEIGHTS } from './fields.ts';
import { MAX_FORMS } from './forms.ts';

/** What assembly/encode.ts exports. */
interface EncodeCalls {
  setUp(at: number, window: number, fieldWeights: bigint): void;
  start(formCount: number): void;
  addPairs(from: number, end: number): number;
  addPlaces(doc: number, from: number, end: number, isWhole: number, weight: number): number;
  taken(): void;
  finish(): void;
  countForms(from: number, end: number): void;
  pack(values: number, to: number, mayCount: number): number;
}

const STATE_BYTES = 16;
const FORMS_BYTES = 9 * MAX_FORMS;
const BUFFERS_BYTES = 7 * 512;
const WINDOW_BYTES = 64 * 1024;
const POSTINGS_AT = STATE_BYTES + FORMS_BYTES + BUFFERS_BYTES;

const PLACES_AT = POSTINGS_AT + 2 * WINDOW_BYTES;
/** Places of a document that are handed over at once. */
export const MAX_PLACES = 4096;

/** How much memory the kernel takes for itself. */
export const ENCODER_BYTES = PLACES_AT + 8 * MAX_PLACES;

let compiled: WebAssembly.Module | undefined;

export class EncodeKernel {
  readonly calls: EncodeCalls;
  /** Room for places on their way in, a place and a form each. */
  readonly places: Uint32Array;
  readonly #at: number;
  readonly #bytes: Uint8Array;
  /** The numbers of the state. */
  readonly #state: Uint32Array;
  /** Per form, in how many documents it is; valid until the next call. */
  readonly formDocs: Uint32Array;

  /** Takes `ENCODER_BYTES` of the memory from `at` on, a multiple of 8. The memory must not grow from then on. */
  constructor(memory: WebAssembly.Memory, at: number) {
    const { buffer } = memory;
    this.#at = at;
    this.#bytes = new Uint8Array(buffer);
    this.#state = new Uint32Array(buffer, at, STATE_BYTES / 4);
    this.formDocs = new Uint32Array(buffer, at + STATE_BYTES, MAX_FORMS);
    this.places = new Uint32Array(buffer, at + PLACES_AT, 2 * MAX_PLACES);
    compiled ??= new WebAssembly.Module(readFileSync(join(import.meta.dirname, 'kernels', 'encode.wasm')));
    const instance = new WebAssembly.Instance(compiled, { env: { memory, abort } });
    this.calls = instance.exports as unknown as EncodeCalls;
    this.calls.setUp(at, WINDOW_BYTES, Buffer.from(Uint8Array.of(...FIELD_WEIGHTS, 0, 0)).readBigUInt64LE());
  }

  get docCount(): number {
    return this.#state[0]!;
  }

  /** For each form in pairs, the number it is written with. */
  setFormNumbers(numbers: Uint8Array): void {
    this.#bytes.set(numbers, this.#at + STATE_BYTES + 8 * MAX_FORMS);
  }

  /** How many bytes of postings the window holds. */
  get postingsBytes(): number {
    return this.#state[1]!;
  }

  get positionBytes(): number {
    return this.#state[2]!;
  }

  /** Appends what the window holds. */
  copyPostings(out: ByteWriter): void {
    const from = this.#at + POSTINGS_AT;
    out.copy(this.#bytes, from, from + this.postingsBytes);
  }

  copyPositions(out: ByteWriter): void {
    const from = this.#at + POSTINGS_AT + WINDOW_BYTES;
    out.copy(this.#bytes, from, from + this.positionBytes);
  }

  /** Where the room for places begins. */
  get placesAt(): number {
    return this.#at + PLACES_AT;
  }
}

function abort(): never {
  throw new Error('the encoding kernel aborted');
}
