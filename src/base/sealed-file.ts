/**
 * The envelope of every binary file we write in one step:
 *
 *   magic     4 bytes   ASCII, names the kind of file
 *   version   u32       of that kind
 *   body      …
 *   checksum  u32       CRC-32 of all bytes before it
 */
import { crc32 } from 'node:zlib';
import type { Directory } from './directory.ts';
import { CorruptError, GyreError } from './errors.ts';

export interface FileKind {
  magic: string;
  version: number;
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

/** The body of a sealed file, after its magic, version and checksum have been checked. */
export function readSealed(directory: Directory, name: string, kind: FileKind): Buffer {
  const bytes = directory.read(name);
  checkSealHeader(bytes, kind, name);
  const end = bytes.length - SEAL_FOOTER_BYTES;
  if (end < SEAL_HEADER_BYTES) throw new CorruptError(name, bytes.length, 'a checksum', 'the end');
  const expected = bytes.readUInt32LE(end);
  const actual = crc32(bytes.subarray(0, end));
  if (actual !== expected) throw new CorruptError(name, end, `checksum ${hex(expected)}`, hex(actual));
  return bytes.subarray(SEAL_HEADER_BYTES, end);
}

export function checkSealHeader(bytes: Buffer, kind: FileKind, name: string): void {
  if (bytes.length < SEAL_HEADER_BYTES) throw new CorruptError(name, bytes.length, 'a header', 'the end');
  const magic = bytes.toString('latin1', 0, 4);
  if (magic !== kind.magic) throw new CorruptError(name, 0, `magic ${kind.magic}`, JSON.stringify(magic));
  const version = bytes.readUInt32LE(4);
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
