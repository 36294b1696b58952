/**
 * gzip members for records, by our own DEFLATE in WebAssembly (`kernels/assembly/deflate.ts`): level 1 of zlib takes
 * twice its time, and starting zlib anew for every small record costs more than compressing it.
 *
 *   codes       counts and codes of the block under way, and tables of symbols
 *   table       the last place of every six bytes
 *   sequences   of the block under way, without their literals
 *   literals    of the block under way
 *   input       the record
 *   output      its blocks, with room for a head before and a trailer behind them
 *
 * One record at a time; a record that is longer than the input's room goes to zlib, which works in pieces.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32, gzipSync } from 'node:zlib';

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
/** A code has 15 bits at most, so no block is twice as long as what it says. */
const PAGES = Math.ceil((OUTPUT_AT + 2 * MAX_INPUT + 64 * KI) / (64 * KI));

/** Magic, deflate, no flags, no time, fastest, unknown system (RFC 1952 § 2.3). */
export const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 4, 0xff]);
const TRAILER_BYTES = 8;

let memory: Buffer | null = null;
let calls: DeflateCalls;

/** A gzip member with these bytes, in the kernel's memory: valid until the next. */
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

/** Once per thread, when it is first needed. */
function load(): Buffer {
  const shared = new WebAssembly.Memory({ initial: PAGES, maximum: 256 });
  const module = new WebAssembly.Module(readFileSync(join(import.meta.dirname, 'kernels', 'deflate.wasm')));
  calls = new WebAssembly.Instance(module, { env: { memory: shared } }).exports as unknown as DeflateCalls;
  calls.setUp(INPUT_AT, TABLE_AT, SEQUENCES_AT, LITERALS_AT, CODES_AT, OUTPUT_AT);
  return Buffer.from(shared.buffer);
}
