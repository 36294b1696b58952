/**
 * The envelope of every binary file that is written in one step:
 *
 *   magic     4 bytes   ASCII letters that identify the file type
 *   version   u32       of the file type
 *   body      …
 *   checksum  u32       CRC-32 of all bytes before it
 */
import { crc32 } from 'node:zlib';
import { CorruptError, GyreError } from '../errors.ts';
import type { Directory, RandomFile } from './directory.ts';

export interface FileKind {
  magic: string;
  version: number;
  /**
   * The oldest version of a file that can be read; by default 1. An older file counts as damaged, so that it
   * is built again.
   */
  oldest?: number;
}

export const SEAL_HEADER_BYTES = 8;
export const SEAL_FOOTER_BYTES = 4;

export function sealHeader(kind: FileKind): Buffer {
  const header = Buffer.alloc(SEAL_HEADER_BYTES);
  header.write(kind.magic, 'latin1');
  header.writeUInt32LE(kind.version, 4);
  return header;
}

export function writeSealed(directory: Directory, name: string, kind: FileKind, body: Uint8Array): void {
  const header = sealHeader(kind);
  const footer = Buffer.alloc(SEAL_FOOTER_BYTES);
  footer.writeUInt32LE(crc32(body, crc32(header)));
  directory.replace(name, Buffer.concat([header, body, footer]));
}

/** Returns the body of a sealed file after it has checked magic, version and checksum. */
export function readSealed(directory: Directory, name: string, kind: FileKind): Buffer {
  const bytes = directory.read(name);
  checkMagic(bytes, kind, name);
  const end = bytes.length - SEAL_FOOTER_BYTES;
  if (end < SEAL_HEADER_BYTES) throw new CorruptError(name, bytes.length, 'a checksum', 'the end');
  const expected = bytes.readUInt32LE(end);
  const actual = crc32(bytes.subarray(0, end));
  if (actual !== expected) throw new CorruptError(name, end, `checksum ${hex(expected)}`, hex(actual));
  checkSealHeader(bytes, kind, name);
  return bytes.subarray(SEAL_HEADER_BYTES, end);
}

const CHECK_BYTES = 1024 * 1024;

/** Reads a sealed file of any size once and throws if its magic, version or checksum is wrong. */
export function checkSealed(file: RandomFile, kind: FileKind): void {
  const header = file.read(0, Math.min(file.size, SEAL_HEADER_BYTES));
  checkMagic(header, kind, file.name);
  const damage = damageOf(file);
  if (damage) throw damage;
  checkSealHeader(header, kind, file.name);
}

/** Compares the checksum at the end of a sealed file with the bytes before it. Returns null if they agree. */
export function damageOf(file: RandomFile): CorruptError | null {
  const steps = findDamage(file);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** Does the same as `damageOf`, but in steps of one MiB, so that the caller can do other work in between. */
export function* findDamage(file: RandomFile): Generator<void, CorruptError | null> {
  const end = file.size - SEAL_FOOTER_BYTES;
  if (end < SEAL_HEADER_BYTES) return new CorruptError(file.name, file.size, 'a checksum', 'the end');
  const piece = Buffer.allocUnsafe(Math.min(CHECK_BYTES, end));
  let actual = 0;
  for (let at = 0; at < end; at += CHECK_BYTES) {
    actual = crc32(file.read(at, Math.min(CHECK_BYTES, end - at), piece), actual);
    yield;
  }
  const expected = file.read(end, SEAL_FOOTER_BYTES).readUInt32LE();
  if (actual === expected) return null;
  return new CorruptError(file.name, end, `checksum ${hex(expected)}`, hex(actual));
}

/**
 * Checks only the magic. The version is checked after the checksum, because a flipped bit in the version could
 * make a damaged file look like a file of a newer Gyre.
 */
function checkMagic(bytes: Buffer, kind: FileKind, name: string): void {
  if (bytes.length < SEAL_HEADER_BYTES) throw new CorruptError(name, bytes.length, 'a header', 'the end');
  const magic = bytes.toString('latin1', 0, 4);
  if (magic !== kind.magic) throw new CorruptError(name, 0, `magic ${kind.magic}`, JSON.stringify(magic));
}

export function checkSealHeader(bytes: Buffer, kind: FileKind, name: string): void {
  checkMagic(bytes, kind, name);
  const version = bytes.readUInt32LE(4);
  const { oldest = 0 } = kind;
  if (version < oldest) throw new CorruptError(name, 4, `version ${oldest} or later`, `version ${version}`);
  if (version > kind.version) {
    throw new GyreError(
      'newer-format',
      `${name} has format version ${version}, this Gyre reads up to ${kind.version}: upgrade Gyre`,
    );
  }
}

function hex(value: number): string {
  return value.toString(16).padStart(8, '0');
}
