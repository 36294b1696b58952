/** Lists and opens the entries of a ZIP file by its central directory; see zip-format.ts. */
import { inflateRawSync } from 'node:zlib';
import { CorruptError } from '../errors.ts';
import type { RandomFile } from '../files/mod.ts';
import {
  CENTRAL_HEADER,
  CENTRAL_HEADER_BYTES,
  END_BYTES,
  FULL_32,
  LOCAL_HEADER,
  LOCAL_HEADER_BYTES,
  Method,
  ZIP_END,
  ZIP64_END_BYTES,
  ZIP64_EXTRA,
  ZIP64_LOCATOR,
  ZIP64_LOCATOR_BYTES,
} from './zip-format.ts';

export interface ZipEntry {
  name: string;
  method: number;
  /** True if the bytes of the entry are encrypted. */
  isEncrypted: boolean;
  compressedSize: number;
  /** The size that the directory states. Opening an entry that inflates to more bytes fails. */
  size: number;
  offset: number;
}

const MAX_COMMENT = 0xffff;
const MAX_DIRECTORY = 256 * 1024 * 1024;
const MAX_INFLATED = 256 * 1024 * 1024;

export function isZip(file: RandomFile): boolean {
  return file.size >= END_BYTES && file.read(0, 4).readUInt32LE() === LOCAL_HEADER;
}

/**
 * Lists the entries of a ZIP file, at most `maxEntries`. Throws a `CorruptError` if there is no central directory.
 */
export function readZipDirectory(file: RandomFile, maxEntries = Number.POSITIVE_INFINITY): ZipEntry[] {
  const { start, size } = findDirectory(file);
  if (start + size > file.size || size > MAX_DIRECTORY) {
    throw new CorruptError(file.name, start, 'a ZIP directory', 'one outside the file');
  }
  const bytes = file.read(start, size);
  const entries: ZipEntry[] = [];
  for (let at = 0; at + CENTRAL_HEADER_BYTES <= size && bytes.readUInt32LE(at) === CENTRAL_HEADER; ) {
    if (entries.length === maxEntries) break;
    const [name, extra, comment] = [28, 30, 32].map((field) => bytes.readUInt16LE(at + field));
    const end = at + CENTRAL_HEADER_BYTES + name! + extra! + comment!;
    if (end > size) break;
    entries.push(readCentralHeader(bytes, at, name!, extra!));
    at = end;
  }
  return entries;
}

/**
 * Opens an entry as a file. Returns null if it is encrypted, its compression is not supported, or it inflates to more
 * bytes than its size or than MAX_INFLATED.
 */
export function openZipEntry(file: RandomFile, entry: ZipEntry): RandomFile | null {
  if (entry.offset + LOCAL_HEADER_BYTES > file.size) return null;
  const header = file.read(entry.offset, LOCAL_HEADER_BYTES);
  const start = entry.offset + LOCAL_HEADER_BYTES + header.readUInt16LE(26) + header.readUInt16LE(28);
  if (header.readUInt32LE(0) !== LOCAL_HEADER || start + entry.compressedSize > file.size) return null;
  if (entry.isEncrypted) return null;
  const stored = new FileSlice(file, entry.name, start, entry.compressedSize);
  if (entry.method === Method.stored) return stored;
  if (entry.method !== Method.deflated || entry.size > MAX_INFLATED) return null;
  try {
    const bytes = inflateRawSync(stored.read(0, stored.size), {
      maxOutputLength: Math.max(1, entry.size),
    });
    return memoryFile(entry.name, bytes);
  } catch {
    return null;
  }
}

class FileSlice implements RandomFile {
  readonly name: string;
  readonly size: number;
  readonly #file: RandomFile;
  readonly #start: number;

  constructor(file: RandomFile, name: string, start: number, size: number) {
    this.#file = file;
    this.name = name;
    this.#start = start;
    this.size = size;
  }

  read(position: number, length: number): Buffer {
    return this.#file.read(this.#start + position, length);
  }

  /** Does nothing: the ZIP file, of which this file is a section, stays open. */
  close(): void {}
}

/** Returns bytes in memory as a file. */
export function memoryFile(name: string, bytes: Buffer): RandomFile {
  return new MemoryFile(name, bytes);
}

class MemoryFile implements RandomFile {
  readonly name: string;
  readonly #bytes: Buffer;

  constructor(name: string, bytes: Buffer) {
    this.name = name;
    this.#bytes = bytes;
  }

  get size(): number {
    return this.#bytes.length;
  }

  read(position: number, length: number): Buffer {
    return this.#bytes.subarray(position, position + length);
  }

  close(): void {}
}

function readCentralHeader(bytes: Buffer, at: number, nameLength: number, extraLength: number): ZipEntry {
  const nameEnd = at + CENTRAL_HEADER_BYTES + nameLength;
  const wide = wideValues(bytes.subarray(nameEnd, nameEnd + extraLength));
  // The extra field has only the values that did not fit in 32 bits. They are in this order: size, compressed
  // size, offset.
  const value = (field: number) => {
    const short = bytes.readUInt32LE(at + field);
    return short === FULL_32 ? (wide.shift() ?? short) : short;
  };
  const size = value(24);
  const compressedSize = value(20);
  const offset = value(42);
  const name = bytes.toString('utf8', at + CENTRAL_HEADER_BYTES, nameEnd);
  const isEncrypted = (bytes.readUInt16LE(at + 8) & 1) !== 0;
  return { name, method: bytes.readUInt16LE(at + 10), isEncrypted, size, compressedSize, offset };
}

function wideValues(extra: Buffer): number[] {
  for (let at = 0; at + 4 <= extra.length; ) {
    const length = extra.readUInt16LE(at + 2);
    const values = extra.subarray(at + 4, at + 4 + length);
    if (extra.readUInt16LE(at) === ZIP64_EXTRA) {
      return Array.from({ length: values.length >> 3 }, (_, i) => Number(values.readBigUInt64LE(8 * i)));
    }
    at += 4 + length;
  }
  return [];
}

function findDirectory(file: RandomFile): { start: number; size: number } {
  const tailAt = Math.max(0, file.size - END_BYTES - MAX_COMMENT);
  const tail = file.read(tailAt, file.size - tailAt);
  const magic = Buffer.alloc(4);
  magic.writeUInt32LE(ZIP_END);
  // A negative offset would count from the end.
  const at = tail.length < END_BYTES ? -1 : tail.lastIndexOf(magic, tail.length - END_BYTES);
  if (at < 0) throw new CorruptError(file.name, file.size, 'the end of a ZIP directory', 'none');
  const zip64 = findZip64(file, tailAt + at);
  return zip64 ?? { size: tail.readUInt32LE(at + 12), start: tail.readUInt32LE(at + 16) };
}

function findZip64(file: RandomFile, endAt: number): { start: number; size: number } | null {
  const locatorAt = endAt - ZIP64_LOCATOR_BYTES;
  if (locatorAt < 0) return null;
  const locator = file.read(locatorAt, ZIP64_LOCATOR_BYTES);
  if (locator.readUInt32LE(0) !== ZIP64_LOCATOR) return null;
  const at = Number(locator.readBigUInt64LE(8));
  if (at + ZIP64_END_BYTES > file.size) return null;
  const end = file.read(at, ZIP64_END_BYTES);
  return { size: Number(end.readBigUInt64LE(40)), start: Number(end.readBigUInt64LE(48)) };
}
