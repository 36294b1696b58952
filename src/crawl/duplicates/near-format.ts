/**
 * The sketches of a crawl on disk: two files with one record of fixed size per entry in each, so that the
 * number of entries gives the length of both.
 *
 *   near.keys       magic GYNK, version u32, then for each entry 48 bytes
 *     owner    i64      the fingerprint of the URL
 *     simLow   u32
 *     simHigh  u32
 *     bands    u32 × 6
 *     retired  u32      0, or 1 + the number of an earlier entry, which this record retires
 *     check    u32      of the eleven words before it: h = imul(h ^ word, 0x9e3779b1) ^ (h >>> 15), from h = 1
 *   near.bins       magic GYNB, version u32, then for each entry 516 bytes
 *     bins     u8 × 512
 *     check    u32      CRC-32 of the 512 bytes before it
 *
 * Version 2 of the keys has bands that depend on the identity of the page. Keys of version 1 are made again from the
 * journal.
 *
 * All numbers are little-endian, as this machine is. All keys are read when a crawl is opened, a million of
 * them in about a second, which is why their checksum is so simple; the bins of an entry are read when it is
 * a candidate. Both files are truncated to the committed number of entries when they are opened, like archive
 * and journal; `crawl.db` has that number, and the URL of each entry.
 *
 * For example, the keys of an entry with owner 1, simLow 2, simHigh 3 and bands 4 to 9 are
 *
 *   01 00 00 00 00 00 00 00  02 00 00 00  03 00 00 00
 *   04 00 00 00  05 00 00 00  06 00 00 00  07 00 00 00  08 00 00 00  09 00 00 00  00 00 00 00  A2 75 84 3A
 */
import { crc32 } from 'node:zlib';
import { CorruptError, type FileKind } from '../../base/mod.ts';
import { BAND_COUNT, BIN_COUNT, type Sketch } from '../../sketch/mod.ts';
import type { BandKeys } from './band-table.ts';

export const KEYS_FILE = 'near.keys';
export const BINS_FILE = 'near.bins';
export const KEYS_KIND: FileKind = { magic: 'GYNK', version: 2, oldest: 2 };
export const BINS_KIND: FileKind = { magic: 'GYNB', version: 1 };

const KEYS_WORDS = 6 + BAND_COUNT;
export const KEYS_BYTES = 4 * KEYS_WORDS;
export const BINS_BYTES = BIN_COUNT + 4;

export interface KeysRecord extends BandKeys {
  /** Number of the earlier entry that this record retires, or null if the record contains a sketch. */
  retires: number | null;
}

export function encodeKeys(owner: bigint, sketch: BandKeys, retires: number | null): Buffer {
  const words = new Uint32Array(KEYS_WORDS);
  words[0] = Number(BigInt.asUintN(32, owner));
  words[1] = Number(BigInt.asUintN(32, owner >> 32n));
  words[2] = sketch.simLow;
  words[3] = sketch.simHigh;
  words.set(sketch.bands, 4);
  words[KEYS_WORDS - 2] = retires === null ? 0 : retires + 1;
  words[KEYS_WORDS - 1] = checkOf(words, 0);
  return Buffer.from(words.buffer);
}

/**
 * Calls `visit` for each key record in `bytes`, which were read at offset `position` of the file. The record object
 * is reused for every call.
 */
export function decodeKeys(bytes: Buffer, position: number, visit: (record: KeysRecord) => void): void {
  const words = wordsOf(bytes);
  const record: KeysRecord = { simLow: 0, simHigh: 0, bands: new Uint32Array(BAND_COUNT), retires: null };
  for (let at = 0; at < words.length; at += KEYS_WORDS) {
    requireCheck(words, at, position);
    record.simLow = words[at + 2]!;
    record.simHigh = words[at + 3]!;
    for (let band = 0; band < BAND_COUNT; band++) record.bands[band] = words[at + 4 + band]!;
    const retired = words[at + KEYS_WORDS - 2]!;
    record.retires = retired === 0 ? null : retired - 1;
    visit(record);
  }
}

/** Reads only the owner of a key record. */
export function decodeOwner(bytes: Buffer, position: number): bigint {
  requireCheck(wordsOf(bytes), 0, position);
  return bytes.readBigInt64LE(0);
}

export function encodeBins(bins: Sketch['bins']): Buffer {
  const bytes = Buffer.allocUnsafe(BINS_BYTES);
  bytes.set(bins);
  bytes.writeUInt32LE(crc32(bins), BIN_COUNT);
  return bytes;
}

export function decodeBins(bytes: Buffer, position: number): Uint8Array {
  const bins = bytes.subarray(0, BIN_COUNT);
  requireEqual(crc32(bins), bytes.readUInt32LE(BIN_COUNT), BINS_FILE, position);
  return bins;
}

function wordsOf(bytes: Buffer): Uint32Array {
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : new Uint8Array(bytes);
  return new Uint32Array(aligned.buffer, aligned.byteOffset, bytes.length / 4);
}

function checkOf(words: Uint32Array, at: number): number {
  let h = 1;
  for (let word = at; word < at + KEYS_WORDS - 1; word++) {
    h = Math.imul(h ^ words[word]!, 0x9e3779b1) ^ (h >>> 15);
  }
  return h >>> 0;
}

function requireCheck(words: Uint32Array, at: number, position: number): void {
  requireEqual(checkOf(words, at), words[at + KEYS_WORDS - 1]!, KEYS_FILE, position + 4 * at);
}

function requireEqual(actual: number, expected: number, file: string, position: number): void {
  if (actual === expected) return;
  throw new CorruptError(file, position, `checksum ${expected.toString(16)}`, actual.toString(16));
}
