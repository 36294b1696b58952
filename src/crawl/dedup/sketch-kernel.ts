/**
 * The memory of the sketch's kernel (`../kernels/assembly/sketch.ts`), one text at a time.
 *
 *   folded   what each UTF-16 unit is, two bytes each; fills as text is seen
 *   least    the least hash of each bin
 *   planes   counters of bits
 *   words    hashes of words, then of shingles
 *   units    the text
 *
 * Memory that no text has reached is never touched.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface SketchCalls {
  setUp(folded: number, units: number, words: number, least: number): void;
  readWords(start: number, end: number, count: number): number;
  stoppedAt(): number;
  makeShingles(count: number): void;
  rehash(count: number): void;
  countVotes(hashes: number, count: number, planes: number): void;
  majority(total: number, planes: number): number;
}

/** The beginning of a longer text says enough. */
const MAX_LENGTH = 1 << 20;
export const BIN_COUNT = 512;

const FOLDED_AT = 1024;
const LEAST_AT = FOLDED_AT + 2 * 0x10000;
export const PLANES_AT = LEAST_AT + 4 * BIN_COUNT;
export const WORDS_AT = PLANES_AT + 512;
const UNITS_AT = WORDS_AT + 4 * MAX_LENGTH + 64;
const PAGES = Math.ceil((UNITS_AT + 2 * MAX_LENGTH) / 65536);

const memory = new WebAssembly.Memory({ initial: PAGES, maximum: 256 });
const file = join(import.meta.dirname, '..', 'kernels', 'sketch.wasm');
const instance = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(file)), { env: { memory } });

export const kernel = instance.exports as unknown as SketchCalls;
kernel.setUp(FOLDED_AT, UNITS_AT, WORDS_AT, LEAST_AT);

export const FOLDED = new Uint16Array(memory.buffer, FOLDED_AT, 0x10000);
export const LEAST = new Uint32Array(memory.buffer, LEAST_AT, BIN_COUNT);
export const WORDS = new Int32Array(memory.buffer, WORDS_AT, MAX_LENGTH + 1);
export const UNITS = new Uint16Array(memory.buffer, UNITS_AT, MAX_LENGTH);
export const UNIT_BYTES = Buffer.from(memory.buffer, UNITS_AT, 2 * MAX_LENGTH);
