/**
 * Compresses records to gzip members with our own DEFLATE in WebAssembly (`kernels/assembly/deflate.ts`). Level
 * 1 of zlib takes twice its time, and starting zlib for every small record costs more than compressing it.
 *
 *   codes       counts and codes of the current block, and tables of symbols
 *   table       the last position of every six bytes
 *   sequences   of the current block, without their literals
 *   literals    of the current block
 *   input       the record
 *   output      its blocks, with room for a header before and a trailer after them
 *
 * The kernel holds one record at a time. Records longer than MAX_INPUT go to zlib, which works in pieces.
 */

import { crc32, gzipSync } from 'node:zlib';
import { loadKernel } from '../../base/mod.ts';

interface DeflateCalls {
  setUp(
    input: number,
    table: number,
    sequences: number,
    literals: number,
    codes: number,
    output: number,
  ): void;
  deflate(length: number): number;
}

const KI = 1024;
const MAX_INPUT = 1024 * KI;
const CODES_AT = KI;
const TABLE_AT = 16 * KI;
const SEQUENCES_AT = TABLE_AT + 64 * KI;
const LITERALS_AT = SEQUENCES_AT + 128 * KI;
const INPUT_AT = LITERALS_AT + MAX_INPUT + KI;
const OUTPUT_AT = INPUT_AT + MAX_INPUT + KI;
/** A code has 15 bits at most, so a block is never twice as long as its input. */
const PAGES = Math.ceil((OUTPUT_AT + 2 * MAX_INPUT + 64 * KI) / (64 * KI));

/** Magic, deflate, no flags, no time, fastest, unknown system (RFC 1952 § 2.3). */
export const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 4, 0xff]);
const TRAILER_BYTES = 8;

let memory: Buffer | null = null;
let calls: DeflateCalls;

/** Returns a gzip member of these bytes in the kernel's memory, valid until the next call. */
export function gzipMember(bytes: Uint8Array): Buffer {
  if (bytes.length > MAX_INPUT) return gzipSync(bytes, { level: 1 });
  memory ??= load();
  memory.set(bytes, INPUT_AT);
  const end = OUTPUT_AT + calls.deflate(bytes.length);
  memory.set(GZIP_HEADER, OUTPUT_AT - GZIP_HEADER.length);
  memory.writeUInt32LE(crc32(bytes), end);
  memory.writeUInt32LE(bytes.length, end + 4);
  return memory.subarray(OUTPUT_AT - GZIP_HEADER.length, end + TRAILER_BYTES);
}

/** Runs once per thread, when first needed. */
function load(): Buffer {
  const shared = new WebAssembly.Memory({ initial: PAGES, maximum: 256 });
  calls = loadKernel(new URL('../kernels/deflate.wasm', import.meta.url), shared);
  calls.setUp(INPUT_AT, TABLE_AT, SEQUENCES_AT, LITERALS_AT, CODES_AT, OUTPUT_AT);
  return Buffer.from(shared.buffer);
}
