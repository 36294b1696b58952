/**
 * Yields the separately compressed pieces of a file (gzip members or zstd frames) in order, with their offsets.
 * Damage is reported as a value, and reading continues at the next readable piece.
 *
 * A piece is decompressed in one call. A piece above the size limit (for example a whole WARC file in a
 * single member) is only reported; the caller has to stream it from its offset.
 */
import { crc32, inflateRawSync, zstdDecompressSync } from 'node:zlib';
import { type RandomFile, systemCode } from '../../base/mod.ts';
import { MAX_IN_MEMORY } from './warc-parser.ts';
import { type ZstdFrame, zstdFrameAt } from './zstd-frame.ts';

export type Compression = 'gzip' | 'zstd' | 'none';

type Member =
  | { kind: 'member'; offset: number; length: number; bytes: Buffer }
  | { kind: 'damage'; offset: number; length: number }
  | { kind: 'large'; offset: number };

const FIRST_WINDOW = 64 * 1024;
const WINDOW = 1024 * 1024;

const GZIP_MAGIC = Buffer.from([0x1f, 0x8b, 0x08]);
const ZSTD_MAGIC = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);

export function detectCompression(file: RandomFile): Compression {
  const opening = file.read(0, Math.min(4, file.size));
  if (opening.subarray(0, 3).equals(GZIP_MAGIC)) return 'gzip';
  const { kind } = zstdFrameAt(Buffer.concat([opening, Buffer.alloc(8)]));
  return opening.length === 4 && kind !== 'none' ? 'zstd' : 'none';
}

export interface MemberRange {
  offset?: number;
  end?: number;
  /** The size limit. A piece that is larger, compressed or decompressed, is reported as `large`. */
  maxBytes?: number;
}

/** Yields the pieces of a file from `offset` to `end`. Stops after a `large` piece. */
export function* readMembers(
  file: RandomFile,
  compression: 'gzip' | 'zstd',
  { offset = 0, end = file.size, maxBytes = MAX_IN_MEMORY }: MemberRange = {},
): Generator<Member> {
  const window = new FileWindow(file, end);
  const read = compression === 'gzip' ? gzipReader(maxBytes) : zstdReader(maxBytes);
  const magic = compression === 'gzip' ? GZIP_MAGIC : ZSTD_MAGIC;
  let damageAt: number | null = null;
  for (let at = offset; at < end; ) {
    const piece = readGrowing(window, at, read, maxBytes);
    if (piece.kind === 'broken') {
      damageAt ??= at;
      at = window.find(magic, at + 1);
      continue;
    }
    if (damageAt !== null) yield { kind: 'damage', offset: damageAt, length: at - damageAt };
    damageAt = null;
    if (piece.kind === 'large') return yield { kind: 'large', offset: at };
    if (piece.bytes) yield { kind: 'member', offset: at, length: piece.length, bytes: piece.bytes };
    at += piece.length;
  }
  if (damageAt !== null) yield { kind: 'damage', offset: damageAt, length: end - damageAt };
}

type WholePiece =
  /** `bytes` is null for a piece without content, such as a zstd dictionary. */
  { kind: 'piece'; length: number; bytes: Buffer | null } | { kind: 'broken' } | { kind: 'large' };

/** Decompresses the piece at the start of `bytes`. Returns `incomplete` if it needs more bytes. */
type PieceReader = (bytes: Buffer) => WholePiece | 'incomplete';

/** Reads one piece. Its length is not known in advance, so this tries again with more and more bytes. */
function readGrowing(window: FileWindow, at: number, read: PieceReader, maxBytes: number): WholePiece {
  for (let size = FIRST_WINDOW; ; size *= 4) {
    const bytes = window.at(at, size);
    const piece = read(bytes);
    if (piece !== 'incomplete') return piece;
    if (at + bytes.length >= window.end) return { kind: 'broken' };
    if (bytes.length > maxBytes) return { kind: 'large' };
  }
}

function gzipReader(maxBytes: number): PieceReader {
  return (bytes) => readGzip(bytes, maxBytes);
}

function readGzip(bytes: Buffer, maxOutputLength: number): WholePiece | 'incomplete' {
  const header = gzipHeaderLength(bytes);
  if (header === 0) return 'incomplete';
  if (header < 0) return { kind: 'broken' };
  try {
    const options = { info: true, maxOutputLength };
    // With the option `info`, `inflateRawSync` returns an object. The type declaration of Node.js lacks this.
    const result = inflateRawSync(bytes.subarray(header), options) as unknown as {
      buffer: Buffer;
      engine: { bytesWritten: number };
    };
    const trailer = header + result.engine.bytesWritten;
    if (trailer + 8 > bytes.length) return 'incomplete';
    if (bytes.readUInt32LE(trailer) !== crc32(result.buffer)) return { kind: 'broken' };
    return { kind: 'piece', length: trailer + 8, bytes: result.buffer };
  } catch (error) {
    return isIncomplete(error) ? 'incomplete' : failure(error);
  }
}

/**
 * Returns the length of a gzip header (RFC 1952 § 2.3); 0 if the bytes end inside the header, negative if
 * there is no header.
 */
function gzipHeaderLength(bytes: Buffer): number {
  if (bytes.length < 10) return 0;
  if (!bytes.subarray(0, 3).equals(GZIP_MAGIC)) return -1;
  const flags = bytes[3]!;
  let at = 10;
  if (flags & 4) at += at + 2 > bytes.length ? bytes.length : 2 + bytes.readUInt16LE(at);
  for (const hasText of [flags & 8, flags & 16]) {
    if (hasText === 0) continue;
    const end = bytes.indexOf(0, at);
    if (end < 0) return 0;
    at = end + 1;
  }
  if (flags & 2) at += 2;
  return at > bytes.length ? 0 : at;
}

function zstdReader(maxOutputLength: number): PieceReader {
  let dictionary: Buffer | undefined;
  return (bytes) => {
    const frame: ZstdFrame = zstdFrameAt(bytes);
    if (frame.kind === 'none') return { kind: 'broken' };
    if (frame.kind === 'incomplete') return 'incomplete';
    const content = bytes.subarray(0, frame.length);
    try {
      if (frame.kind === 'dictionary') dictionary = readDictionary(content.subarray(8));
      if (frame.kind !== 'frame') return { kind: 'piece', length: frame.length, bytes: null };
      const options = { maxOutputLength, ...(dictionary && { dictionary }) };
      return { kind: 'piece', length: frame.length, bytes: zstdDecompressSync(content, options) };
    } catch (error) {
      return failure(error);
    }
  };
}

/** Returns the zstd dictionary in a frame. The dictionary may itself be compressed. */
function readDictionary(bytes: Buffer): Buffer {
  const isCompressed = bytes.subarray(0, 4).equals(ZSTD_MAGIC);
  return isCompressed ? zstdDecompressSync(bytes, { maxOutputLength: MAX_IN_MEMORY }) : Buffer.from(bytes);
}

function isIncomplete(error: unknown): boolean {
  return systemCode(error) === 'Z_BUF_ERROR';
}

function failure(error: unknown): WholePiece {
  return { kind: systemCode(error) === 'ERR_BUFFER_TOO_LARGE' ? 'large' : 'broken' };
}

class FileWindow {
  readonly #file: RandomFile;
  readonly end: number;
  #start = 0;
  #bytes: Buffer = Buffer.alloc(0);

  constructor(file: RandomFile, end: number) {
    this.#file = file;
    this.end = end;
  }

  /** Returns at least `size` bytes starting at `position`, or fewer at the end of the file. */
  at(position: number, size: number): Buffer {
    const from = position - this.#start;
    const wanted = Math.min(size, this.end - position);
    if (from < 0 || from + wanted > this.#bytes.length) {
      this.#start = position;
      this.#bytes = this.#file.read(position, Math.min(Math.max(size, WINDOW), this.end - position));
    }
    return this.#bytes.subarray(position - this.#start);
  }

  /** Returns the offset of the next occurrence of `pattern`, or the end of the file. */
  find(pattern: Buffer, from: number): number {
    for (let at = from; at < this.end; ) {
      const bytes = this.at(at, Math.min(WINDOW, this.end - at));
      const found = bytes.indexOf(pattern);
      if (found >= 0) return at + found;
      at += Math.max(1, bytes.length - pattern.length + 1);
      if (this.end - at < pattern.length) break;
    }
    return this.end;
  }
}
