/**
 * Compresses the records of a WARC file. Each record is compressed separately, so that it can be read alone.
 *
 *   gzip   a member per record, `.warc.gz`: every WARC tool reads it
 *   zstd   a frame per record, `.warc.zst`: half the work for the same size, read by newer tools
 *
 * Both use their fastest level (docs/decisions/0018-store-captures-as-warc.md). gzip uses the kernel in
 * `gzip-kernel.ts`.
 */
import { constants, crc32, deflateRawSync, zstdCompressSync } from 'node:zlib';
import { GZIP_HEADER, gzipMember } from './gzip-kernel.ts';

export type WarcCompression = 'gzip' | 'zstd';

export const WARC_COMPRESSIONS: readonly WarcCompression[] = ['gzip', 'zstd'];

const SUFFIXES: Record<WarcCompression, string> = { gzip: '.warc.gz', zstd: '.warc.zst' };
const WARC_NAME = /^\d{8}\.warc\.(?:gz|zst)$/;

const ZSTD_LEVEL_1 = {
  params: { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_checksumFlag]: 1 },
  chunkSize: 32 * 1024,
};
const MAX_STORED_BLOCK = 0xffff;

/**
 * Returns the compressed record, valid until the next call. `codedFrom` is the offset of a body that the server
 * has already compressed. Searching such a body for matches would take most of the time and find nothing, so
 * with gzip it is stored as it is. zstd detects such data by itself.
 */
export function compressRecord(
  record: Uint8Array,
  compression: WarcCompression,
  codedFrom = record.length,
): Buffer {
  if (compression === 'zstd') return zstdCompressSync(record, ZSTD_LEVEL_1);
  return codedFrom < record.length ? gzipHead(record, codedFrom) : gzipMember(record);
}

/** Makes a gzip member: the bytes before `storedFrom` are compressed, the other bytes are stored. */
function gzipHead(record: Uint8Array, storedFrom: number): Buffer {
  const head = deflateRawSync(record.subarray(0, storedFrom), {
    level: 1,
    finishFlush: constants.Z_SYNC_FLUSH,
  });
  const rest = storedBlocks(record.subarray(storedFrom));
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(crc32(record), 0);
  trailer.writeUInt32LE(record.length % 2 ** 32, 4);
  return Buffer.concat([GZIP_HEADER, head, ...rest, trailer]);
}

/**
 * Returns the last blocks of a deflate stream, with stored bytes (RFC 1951 § 3.2.4): a final bit, the length,
 * the complement of the length, the bytes.
 */
function storedBlocks(bytes: Uint8Array): Uint8Array[] {
  const parts: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += MAX_STORED_BLOCK) {
    const block = bytes.subarray(at, at + MAX_STORED_BLOCK);
    const header = Buffer.alloc(5);
    header[0] = at + block.length === bytes.length ? 1 : 0;
    header.writeUInt16LE(block.length, 1);
    header.writeUInt16LE(0xffff - block.length, 3);
    parts.push(header, block);
  }
  return parts;
}

/** Returns the name of file number `file` of the archive: `00000001.warc.gz`. */
export function warcName(file: number, compression: WarcCompression = 'gzip'): string {
  return String(file).padStart(8, '0') + SUFFIXES[compression];
}

/** Returns true for the name of a finished WARC file, such as `00000001.warc.gz`. */
export function isWarcName(name: string): boolean {
  return WARC_NAME.test(name);
}

/** Returns the name of the CDXJ file that lists the records of a WARC file. */
export function cdxNameOf(warc: string): string {
  return `${warc.slice(0, 8)}.cdxj`;
}

export function warcNumber(name: string): number {
  return Number(name.slice(0, 8));
}
