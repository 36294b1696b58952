/**
 * Compresses records to gzip members with a DEFLATE in WebAssembly that is part of Gyre
 * (`kernels/assembly/deflate.ts`). Level 1 of zlib takes twice the time, and starting zlib for every small
 * record costs more than compressing it.
 *
 *   codes       counts and codes of the current block, and tables of symbols
 *   table       the last position of every six bytes
 *   sequences   the sequences of the current block, without their literals
 *   literals    the literals of the current block
 *   input       the record to compress
 *   output      the compressed blocks, with room for a header before and a trailer after them
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
/**
 * The number of 64 KiB pages of WebAssembly memory. A Huffman code has at most 15 bits, so the output is
 * never twice as long as the input.
 */
const PAGES = Math.ceil((OUTPUT_AT + 2 * MAX_INPUT + 64 * KI) / (64 * KI));

/**
 * The gzip header (RFC 1952 § 2.3): magic number, method deflate, no flags, no time, fastest level, unknown
 * system.
 */
export const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 4, 0xff]);
const TRAILER_BYTES = 8;

let memory: Buffer | null = null;
let calls: DeflateCalls;

/** Compresses bytes to a gzip member. The result is in the kernel's memory and valid until the next call. */
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

/** Loads the kernel, once per thread, at its first use. */
function load(): Buffer {
  const shared = new WebAssembly.Memory({ initial: PAGES, maximum: 256 });
  calls = loadKernel(new URL('../kernels/deflate.wasm', import.meta.url), shared);
  calls.setUp(INPUT_AT, TABLE_AT, SEQUENCES_AT, LITERALS_AT, CODES_AT, OUTPUT_AT);
  return Buffer.from(shared.buffer);
}
