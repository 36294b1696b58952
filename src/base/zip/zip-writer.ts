/** Writes a ZIP file sequentially; entries are stored uncompressed. See zip-format.ts. */
import {
  CENTRAL_HEADER,
  CENTRAL_HEADER_BYTES,
  END_BYTES,
  FULL_16,
  FULL_32,
  LOCAL_HEADER,
  LOCAL_HEADER_BYTES,
  Method,
  ZIP_END,
  ZIP64_END,
  ZIP64_END_BYTES,
  ZIP64_EXTRA,
  ZIP64_LOCATOR,
  ZIP64_LOCATOR_BYTES,
} from './zip-format.ts';

const VERSION = 20;
const VERSION_ZIP64 = 45;
const UTF8_NAMES = 0x0800;
/**
 * The modification date of all entries, 1 January 1980. A fixed date makes the same content give the same
 * file.
 */
const DOS_DATE = 0x21;

interface ZipEntryHead {
  name: string;
  size: number;
  crc32: number;
}

export class ZipWriter {
  readonly #write: (bytes: Uint8Array) => Promise<void>;
  readonly #entries: (ZipEntryHead & { offset: number })[] = [];
  #at = 0;

  constructor(write: (bytes: Uint8Array) => Promise<void>) {
    this.#write = write;
  }

  /** Adds an entry. `content` must have the size and the checksum that `head` declares. */
  async add(head: ZipEntryHead, content: Iterable<Uint8Array>): Promise<void> {
    this.#entries.push({ ...head, offset: this.#at });
    await this.#put(localHeader(head));
    for (const bytes of content) await this.#put(bytes);
  }

  async end(): Promise<void> {
    const start = this.#at;
    for (const entry of this.#entries) await this.#put(centralHeader(entry));
    for (const bytes of directoryEnd(this.#entries.length, start, this.#at - start)) await this.#put(bytes);
  }

  async #put(bytes: Uint8Array): Promise<void> {
    await this.#write(bytes);
    this.#at += bytes.length;
  }
}

function localHeader({ name, size, crc32 }: ZipEntryHead): Buffer {
  const nameBytes = Buffer.from(name);
  const extra = zip64Extra(size >= FULL_32 ? [size, size] : []);
  const header = Buffer.alloc(LOCAL_HEADER_BYTES);
  header.writeUInt32LE(LOCAL_HEADER, 0);
  writeCommon(header, 4, size, crc32, extra.length > 0);
  header.writeUInt16LE(nameBytes.length, 26);
  header.writeUInt16LE(extra.length, 28);
  return Buffer.concat([header, nameBytes, extra]);
}

function centralHeader({ name, size, crc32, offset }: ZipEntryHead & { offset: number }): Buffer {
  const nameBytes = Buffer.from(name);
  const large = [...(size >= FULL_32 ? [size, size] : []), ...(offset >= FULL_32 ? [offset] : [])];
  const extra = zip64Extra(large);
  const header = Buffer.alloc(CENTRAL_HEADER_BYTES);
  header.writeUInt32LE(CENTRAL_HEADER, 0);
  header.writeUInt16LE(extra.length > 0 ? VERSION_ZIP64 : VERSION, 4);
  writeCommon(header, 6, size, crc32, extra.length > 0);
  header.writeUInt16LE(nameBytes.length, 28);
  header.writeUInt16LE(extra.length, 30);
  header.writeUInt32LE(Math.min(offset, FULL_32), 42);
  return Buffer.concat([header, nameBytes, extra]);
}

/**
 * Writes the fields that the local and the central header of an entry have in common, from "version needed"
 * to the size.
 */
function writeCommon(header: Buffer, at: number, size: number, crc32: number, isZip64: boolean): void {
  header.writeUInt16LE(isZip64 ? VERSION_ZIP64 : VERSION, at);
  header.writeUInt16LE(UTF8_NAMES, at + 2);
  header.writeUInt16LE(Method.stored, at + 4);
  header.writeUInt16LE(DOS_DATE, at + 8);
  header.writeUInt32LE(crc32, at + 10);
  header.writeUInt32LE(Math.min(size, FULL_32), at + 14);
  header.writeUInt32LE(Math.min(size, FULL_32), at + 18);
}

function zip64Extra(values: readonly number[]): Buffer {
  if (values.length === 0) return Buffer.alloc(0);
  const extra = Buffer.alloc(4 + 8 * values.length);
  extra.writeUInt16LE(ZIP64_EXTRA, 0);
  extra.writeUInt16LE(8 * values.length, 2);
  for (const [i, value] of values.entries()) extra.writeBigUInt64LE(BigInt(value), 4 + 8 * i);
  return extra;
}

function* directoryEnd(count: number, start: number, size: number): Generator<Buffer> {
  const isLarge = count >= FULL_16 || start >= FULL_32 || size >= FULL_32;
  if (isLarge) yield* zip64DirectoryEnd(count, start, size);
  const end = Buffer.alloc(END_BYTES);
  end.writeUInt32LE(ZIP_END, 0);
  end.writeUInt16LE(Math.min(count, FULL_16), 8);
  end.writeUInt16LE(Math.min(count, FULL_16), 10);
  end.writeUInt32LE(Math.min(size, FULL_32), 12);
  end.writeUInt32LE(Math.min(start, FULL_32), 16);
  yield end;
}

function* zip64DirectoryEnd(count: number, start: number, size: number): Generator<Buffer> {
  const end = Buffer.alloc(ZIP64_END_BYTES);
  end.writeUInt32LE(ZIP64_END, 0);
  end.writeBigUInt64LE(BigInt(ZIP64_END_BYTES - 12), 4);
  end.writeUInt16LE(VERSION_ZIP64, 12);
  end.writeUInt16LE(VERSION_ZIP64, 14);
  end.writeBigUInt64LE(BigInt(count), 24);
  end.writeBigUInt64LE(BigInt(count), 32);
  end.writeBigUInt64LE(BigInt(size), 40);
  end.writeBigUInt64LE(BigInt(start), 48);
  yield end;
  const locator = Buffer.alloc(ZIP64_LOCATOR_BYTES);
  locator.writeUInt32LE(ZIP64_LOCATOR, 0);
  locator.writeBigUInt64LE(BigInt(start + size), 8);
  locator.writeUInt32LE(1, 16);
  yield locator;
}
