/**
 * Reads and writes little-endian bytes: a writer that grows its buffer, and a reader that checks bounds.
 *
 * A varint is a whole number up to 2^53 - 1 with 7 bits in each byte, least significant bits first. The high
 * bit is set in all bytes except the last. 300 is AC 02.
 */
import { CorruptError } from './errors.ts';

/**
 * The length in characters below which ASCII text is written character by character, because a call of
 * `Buffer.write` would cost more.
 */
const SHORT_TEXT = 24;
const SHORT_COPY = 64;
/** The value of the lowest bit of the eighth byte of a varint. */
const MAX_SCALE = 2 ** 49;

export class ByteWriter {
  #bytes: Buffer;
  #length = 0;

  constructor(capacity = 1024) {
    this.#bytes = Buffer.allocUnsafe(capacity);
  }

  get length(): number {
    return this.#length;
  }

  /** The current size of the buffer in bytes. Writing beyond it grows the buffer. */
  get capacity(): number {
    return this.#bytes.length;
  }

  u8(value: number): void {
    this.#reserve(1);
    this.#bytes[this.#length++] = value;
  }

  u32(value: number): void {
    this.#reserve(4);
    this.#length = this.#bytes.writeUInt32LE(value >>> 0, this.#length);
  }

  u64(value: bigint): void {
    this.#reserve(8);
    this.#length = this.#bytes.writeBigUInt64LE(BigInt.asUintN(64, value), this.#length);
  }

  f32(value: number): void {
    this.#reserve(4);
    this.#length = this.#bytes.writeFloatLE(value, this.#length);
  }

  f64(value: number): void {
    this.#reserve(8);
    this.#length = this.#bytes.writeDoubleLE(value, this.#length);
  }

  varint(value: number): void {
    this.#reserve(8);
    let rest = value;
    while (rest >= 0x80) {
      this.#bytes[this.#length++] = (rest % 0x80) | 0x80;
      rest = rest < 0x80000000 ? rest >>> 7 : Math.floor(rest / 0x80);
    }
    this.#bytes[this.#length++] = rest;
  }

  raw(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /**
   * Writes the bytes of `source` from `from` to `end`. Short ranges are copied byte by byte: creating a view
   * would cost more.
   */
  copy(source: Uint8Array, from: number, end: number): void {
    if (end - from >= SHORT_COPY) {
      this.raw(source.subarray(from, end));
      return;
    }
    this.#reserve(end - from);
    for (let at = from; at < end; at++) this.#bytes[this.#length++] = source[at]!;
  }

  /** Writes text as UTF-8, after a varint with the number of its bytes. */
  text(value: string): void {
    const byteLength = Buffer.byteLength(value);
    this.varint(byteLength);
    this.#reserve(byteLength);
    this.#length += this.#bytes.write(value, this.#length);
  }

  /**
   * Writes text as UTF-8 from character `from` on, without a length before it. `byteLength` is the number of
   * its bytes.
   */
  utf8(value: string, byteLength: number, from = 0): void {
    this.#reserve(byteLength);
    if (byteLength === value.length - from && byteLength < SHORT_TEXT) {
      for (let i = from; i < value.length; i++) this.#bytes[this.#length++] = value.charCodeAt(i);
    } else {
      this.#length += this.#bytes.write(from === 0 ? value : value.slice(from), this.#length);
    }
  }

  /** Returns the bytes written so far. They are valid until the next write. */
  view(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  clear(): void {
    this.#length = 0;
  }

  #reserve(count: number): void {
    if (this.#length + count <= this.#bytes.length) return;
    const grown = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#length + count));
    this.#bytes.copy(grown, 0, 0, this.#length);
    this.#bytes = grown;
  }
}

export class ByteReader {
  readonly #bytes: Buffer;
  readonly #file: string;
  at: number;

  /** `file` is the name of the file in error messages. */
  constructor(bytes: Uint8Array, file = 'bytes', at = 0) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#file = file;
    this.at = at;
  }

  get remaining(): number {
    return this.#bytes.length - this.at;
  }

  u8(): number {
    return this.#bytes[this.#take(1)]!;
  }

  u32(): number {
    return this.#bytes.readUInt32LE(this.#take(4));
  }

  u64(): bigint {
    return this.#bytes.readBigUInt64LE(this.#take(8));
  }

  f32(): number {
    return this.#bytes.readFloatLE(this.#take(4));
  }

  f64(): number {
    return this.#bytes.readDoubleLE(this.#take(8));
  }

  varint(): number {
    let value = 0;
    let scale = 1;
    for (;;) {
      const byte = this.#bytes[this.#take(1)]!;
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
      scale *= 0x80;
      if (scale > MAX_SCALE) throw this.damage('a varint of at most 8 bytes', 'more');
    }
  }

  /** Throws a `CorruptError` if fewer bytes are left. A caller checks so before it allocates memory for a count. */
  require(count: number): void {
    if (!(count <= this.remaining)) throw this.damage(`${count} more bytes`, `${this.remaining}`);
  }

  /** Returns the error for an unexpected value at the current position. */
  damage(expected: string, got: string): CorruptError {
    return new CorruptError(this.#file, this.at, expected, got);
  }

  raw(count: number): Buffer {
    const from = this.#take(count);
    return this.#bytes.subarray(from, from + count);
  }

  text(): string {
    return this.utf8(this.varint());
  }

  utf8(count: number): string {
    const from = this.#take(count);
    return this.#bytes.toString('utf8', from, from + count);
  }

  skip(count: number): void {
    this.#take(count);
  }

  /** Skips `count` bytes. Returns true if all of them are ASCII. */
  skipAscii(count: number): boolean {
    const from = this.#take(count);
    for (let at = from; at < this.at; at++) if (this.#bytes[at]! >= 0x80) return false;
    return true;
  }

  /**
   * Skips `count` bytes and compares them with the bytes of `other` from offset `from` on. Returns the number
   * of equal bytes before the first difference.
   */
  skipEqual(other: Uint8Array, from: number, count: number): number {
    const start = this.#take(count);
    const limit = Math.min(count, other.length - from);
    let equal = 0;
    while (equal < limit && this.#bytes[start + equal] === other[from + equal]) equal++;
    return equal;
  }

  #take(count: number): number {
    const from = this.at;
    if (from + count > this.#bytes.length) {
      throw new CorruptError(this.#file, from, `${count} more bytes`, `${this.#bytes.length - from}`);
    }
    this.at = from + count;
    return from;
  }
}

/**
 * Frees the whole underlying buffer of the given bytes, which must not be used afterwards. Otherwise the
 * garbage collector would free the buffer only later, and until then its size would trigger additional
 * collections.
 */
export function freeBytes({ buffer }: Uint8Array<ArrayBuffer>): void {
  buffer.transfer(0);
}
