/**
 * Reads WARC files of any writer: with one compressed piece per record, as one compressed stream, or
 * uncompressed. Damage is skipped and counted; the reader never throws because of the content of a file.
 */
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { constants, createGunzip, createZstdDecompress } from 'node:zlib';
import { CorruptError, type Directory, type RandomFile, sha1Base32 } from '../../base/mod.ts';
import { type Compression, detectCompression, type MemberRange, readMembers } from './compressed-members.ts';
import { type HttpMessage, parseHttpMessage } from './http-message.ts';
import {
  beginsWithRecord,
  MAX_IN_MEMORY,
  type PlacedRecord,
  RECORD_END_BYTES,
  type WarcDamage,
  WarcParser,
  type WarcRecord,
} from './warc-parser.ts';

/**
 * A WARC record with offset and length of its compressed piece in the file. `length` is 0 if the piece
 * contains other records too.
 */
export interface LocatedRecord {
  record: WarcRecord;
  offset: number;
  length: number;
}

const CHUNK = 1024 * 1024;

/** Yields every record of a file. `damage` is updated while reading. */
export async function* readWarc(
  file: RandomFile,
  damage: WarcDamage,
  maxBytes = MAX_IN_MEMORY,
): AsyncGenerator<LocatedRecord> {
  const compression = detectCompression(file);
  let largeAt = -1;
  const onLarge = (offset: number) => {
    largeAt = offset;
  };
  if (compression === 'none') yield* scanPlain(file, damage, maxBytes);
  else {
    yield* scanMembers(file, compression, damage, { onLarge, maxBytes });
    if (largeAt >= 0) yield* streamFrom(file, largeAt, compression, damage);
  }
}

interface ScanOptions extends MemberRange {
  /**
   * Called with the offset of a compressed piece that is too large for memory. The scan ends before that
   * piece.
   */
  onLarge?: (offset: number) => void;
}

/** Yields the records of a file in which each record is compressed separately, from `offset` to `end`. */
export function* scanMembers(
  file: RandomFile,
  compression: 'gzip' | 'zstd',
  damage: WarcDamage,
  options: ScanOptions = {},
): Generator<LocatedRecord> {
  const parser = new WarcParser(options.maxBytes);
  for (const member of readMembers(file, compression, options)) {
    if (member.kind === 'large') {
      options.onLarge?.(member.offset);
      break;
    }
    if (member.kind === 'damage') {
      parser.interrupt();
      damage.damaged++;
      damage.damagedBytes += member.length;
      continue;
    }
    // A record that claims to continue in the next member has a wrong length if another record begins there.
    if (parser.isInRecord && beginsWithRecord(member.bytes)) parser.interrupt();
    const start = parser.received;
    for (const { record, ...place } of parser.push(member.bytes)) {
      const isAlone = place.start === start && place.end === parser.received;
      yield { record, offset: member.offset, length: isAlone ? member.length : 0 };
    }
  }
  for (const { record } of parser.end()) yield { record, offset: options.end ?? file.size, length: 0 };
  addDamage(damage, parser.damage);
}

function* scanPlain(file: RandomFile, damage: WarcDamage, maxBytes: number): Generator<LocatedRecord> {
  const bytesAt = (offset: number) =>
    offset > file.size ? null : file.read(offset, Math.min(RECORD_END_BYTES, file.size - offset));
  const parser = new WarcParser(maxBytes, bytesAt);
  for (const bytes of chunksOf(file, 0)) yield* parser.push(bytes).map(atItsPlace);
  yield* parser.end().map(atItsPlace);
  addDamage(damage, parser.damage);
}

function* chunksOf(file: RandomFile, offset: number): Generator<Buffer> {
  for (let at = offset; at < file.size; at += CHUNK) yield file.read(at, Math.min(CHUNK, file.size - at));
}

function atItsPlace({ record, start, end }: PlacedRecord): LocatedRecord {
  return { record, offset: start, length: end - start };
}

/**
 * Reads the rest of a file as one compressed stream. Data after damage cannot be read. Of a truncated stream,
 * the data before the cut is read.
 */
async function* streamFrom(
  file: RandomFile,
  offset: number,
  compression: Exclude<Compression, 'none'>,
  damage: WarcDamage,
): AsyncGenerator<LocatedRecord> {
  const parser = new WarcParser();
  const input = Readable.from(chunksOf(file, offset));
  const decompress =
    compression === 'gzip'
      ? createGunzip({ finishFlush: constants.Z_SYNC_FLUSH })
      : createZstdDecompress({ finishFlush: constants.ZSTD_e_flush });
  input.on('error', (error) => decompress.destroy(error)).pipe(decompress);
  try {
    for await (const bytes of decompress) {
      for (const { record } of parser.push(bytes as Buffer)) yield { record, offset, length: 0 };
    }
  } catch {
    parser.interrupt();
  } finally {
    input.destroy();
  }
  for (const { record } of parser.end()) yield { record, offset, length: 0 };
  addDamage(damage, parser.damage);
}

export function noDamage(): WarcDamage {
  return { damaged: 0, damagedBytes: 0, tooLarge: 0 };
}

function addDamage(total: WarcDamage, more: WarcDamage): void {
  total.damaged += more.damaged;
  total.damagedBytes += more.damagedBytes;
  total.tooLarge += more.tooLarge;
}

export interface ArchivedRecord extends WarcRecord {
  http: HttpMessage | null;
}

/**
 * Reads the record at `offset` of an archive file, which may still be growing. Throws a `CorruptError` if no
 * record begins there, or if its block does not match its digest.
 */
export function readRecord(directory: Directory, name: string, offset: number): ArchivedRecord {
  const file = directory.open(name);
  try {
    return readRecordIn(file, offset, join(directory.path, name));
  } finally {
    file.close();
  }
}

/** Reads the record at `offset` of an open file. `place` is the name of the file in errors. */
export function readRecordIn(file: RandomFile, offset: number, place = file.name): ArchivedRecord {
  const compression = detectCompression(file);
  if (compression === 'none') throw new CorruptError(place, 0, 'a compressed WARC file', 'something else');
  for (const located of scanMembers(file, compression, noDamage(), { offset })) {
    if (located.offset !== offset) break;
    const wrong = digestMismatch(located.record);
    if (wrong) throw new CorruptError(place, offset, wrong.expected, wrong.actual);
    return { ...located.record, http: httpOf(located.record) };
  }
  throw new CorruptError(place, offset, 'a record', 'damage');
}

/**
 * Compares the SHA-1 digest of a record with the digest of its block. Returns both if they differ; null if
 * they are equal or the record has no SHA-1 digest.
 */
export function digestMismatch({ fields, block }: WarcRecord): { expected: string; actual: string } | null {
  const [, expected] = /^sha1:([A-Z2-7]{32})$/i.exec(fields.get('warc-block-digest') ?? '') ?? [];
  if (expected === undefined) return null;
  const actual = sha1Base32(block);
  if (actual === expected.toUpperCase()) return null;
  return { expected: `block digest ${expected}`, actual };
}

/** Parses the HTTP response in a record: the complete response, or only its head for a revisit. */
export function httpOf(record: WarcRecord): HttpMessage | null {
  const carries = record.type === 'response' || record.type === 'revisit';
  return carries ? parseHttpMessage(record.block) : null;
}
