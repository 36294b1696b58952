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
  readonly #memory: WebAssembly.Memory;
  readonly #at: number;
  #bytes: Buffer = Buffer.alloc(0);
  #numbers = new Uint32Array();

  /** Takes `ENCODER_BYTES` of the memory from `at` on, a multiple of 8. */
  constructor(memory: WebAssembly.Memory, at: number) {
    this.#memory = memory;
    this.#at = at;
    compiled ??= new WebAssembly.Module(readFileSync(join(import.meta.dirname, 'kernels', 'encode.wasm')));
    const instance = new WebAssembly.Instance(compiled, { env: { memory, abort } });
    this.calls = instance.exports as unknown as EncodeCalls;
    this.calls.setUp(at, WINDOW_BYTES, Buffer.from(Uint8Array.of(...FIELD_WEIGHTS, 0, 0)).readBigUInt64LE());
  }

  get docCount(): number {
    return this.#state()[0]!;
  }

  /** Per form, in how many documents it is; valid until the next call. */
  get formDocs(): Uint32Array {
    return this.#state().subarray(STATE_BYTES / 4, STATE_BYTES / 4 + MAX_FORMS);
  }

  /** For each form in pairs, the number it is written with. */
  setFormNumbers(numbers: Uint8Array): void {
    this.#state();
    this.#bytes.set(numbers, this.#at + STATE_BYTES + 8 * MAX_FORMS);
  }

  /** How many bytes of postings the window holds. */
  get postingsBytes(): number {
    return this.#state()[1]!;
  }

  get positionBytes(): number {
    return this.#state()[2]!;
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

  /** Room for places on their way in, a place and a form each; valid until the memory grows. */
  get places(): Uint32Array {
    return this.#state().subarray(PLACES_AT / 4, ENCODER_BYTES / 4);
  }

  /** Where that room begins. */
  get placesAt(): number {
    return this.#at + PLACES_AT;
  }

  /** The numbers from the state on. Growth makes a new memory. */
  #state(): Uint32Array {
    const { buffer } = this.#memory;
    if (this.#bytes.buffer !== buffer) {
      this.#bytes = Buffer.from(buffer);
      this.#numbers = new Uint32Array(buffer, this.#at);
    }
    return this.#numbers;
  }
}

function abort(): never {
  throw new Error('the encoding kernel aborted');
}
