/**
 * The memory of the sketch kernel (`kernels/assembly/sketch.ts`), for one text at a time.
 *
 *   folded   class of each UTF-16 unit, two bytes each; filled when a unit is first seen
 *   least    the least hash of each bin
 *   planes   bit counters
 *   words    hashes of words, then of shingles
 *   units    the text
 *
 * Memory beyond the longest text so far is never touched.
 */
import { loadKernel } from '../base/mod.ts';

interface SketchCalls {
  setUp(folded: number, units: number, words: number, least: number): void;
  readWords(start: number, end: number, count: number): number;
  stoppedAt(): number;
  makeShingles(count: number): void;
  rehash(count: number): void;
  countVotes(hashes: number, count: number, planes: number): void;
  majority(total: number, planes: number): number;
}

/**
 * The maximum length of a text in UTF-16 units. The rest of a longer text is ignored, because its beginning is
 * enough to compare it.
 */
const MAX_LENGTH = 1 << 20;
export const BIN_COUNT = 512;

const FOLDED_AT = 1024;
const LEAST_AT = FOLDED_AT + 2 * 0x10000;
export const PLANES_AT = LEAST_AT + 4 * BIN_COUNT;
export const WORDS_AT = PLANES_AT + 512;
const UNITS_AT = WORDS_AT + 4 * MAX_LENGTH + 64;
const PAGES = Math.ceil((UNITS_AT + 2 * MAX_LENGTH) / 65536);

const memory = new WebAssembly.Memory({ initial: PAGES, maximum: 256 });

export const kernel: SketchCalls = loadKernel(new URL('./kernels/sketch.wasm', import.meta.url), memory);
kernel.setUp(FOLDED_AT, UNITS_AT, WORDS_AT, LEAST_AT);

export const FOLDED = new Uint16Array(memory.buffer, FOLDED_AT, 0x10000);
export const LEAST = new Uint32Array(memory.buffer, LEAST_AT, BIN_COUNT);
export const WORDS = new Int32Array(memory.buffer, WORDS_AT, MAX_LENGTH + 1);
export const UNITS = new Uint16Array(memory.buffer, UNITS_AT, MAX_LENGTH);
export const UNIT_BYTES = Buffer.from(memory.buffer, UNITS_AT, 2 * MAX_LENGTH);
