/**
 * Reads WARC files: our own and those of others, with a compressed piece per record, as one compressed
 * stream, or not compressed at all. Damage is passed over and counted; nothing in a file makes it throw.
 */
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { constants, createGunzip, createZstdDecompress } from 'node:zlib';
import { CorruptError, type Directory, type RandomFile } from '../base/mod.ts';
import { type Compression, detectCompression, type MemberRange, readMembers } from './compressed-members.ts';
import { type HttpMessage, parseHttpMessage } from './http-message.ts';
import {
  MAX_IN_MEMORY,
  type PlacedRecord,
  type WarcDamage,
  WarcParser,
  type WarcRecord,
} from './warc-parser.ts';

/** A record and where its piece of the file is; `length` is 0 when it shares the piece with others. */
export interface LocatedRecord {
  record: WarcRecord;
  offset: number;
  length: number;
}

const CHUNK = 1024 * 1024;

/** Every record of a file. `damage` is filled as the reading goes on. */
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

export interface ScanOptions extends MemberRange {
  /** A piece too large to be held in memory begins here; the scan ends before it. */
  onLarge?: (offset: number) => void;
}

/** The records of a file with many compressed pieces, from `offset` to `end`. */
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
  const parser = new WarcParser(maxBytes);
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

/** From here to the end in one stream. What follows damage cannot be read; a stream that ends early gives what it has. */
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

/** A record read back, with the HTTP response in it if there is one. */
export interface ArchivedRecord extends WarcRecord {
  http: HttpMessage | null;
}

/** One record of an archive's file, which may still be growing, by its place. */
export function readRecord(directory: Directory, name: string, offset: number): ArchivedRecord {
  const file = directory.open(name);
  try {
    const compression = detectCompression(file);
    if (compression === 'none') throw new CorruptError(name, 0, 'a compressed WARC file', 'something else');
    for (const { record } of scanMembers(file, compression, noDamage(), { offset })) {
      return { ...record, http: httpOf(record) };
    }
    throw new CorruptError(join(directory.path, name), offset, 'a record', 'none');
  } finally {
    file.close();
  }
}

/** The HTTP response that a record carries: all of it, or its head when it is a revisit. */
export function httpOf(record: WarcRecord): HttpMessage | null {
  const carries = record.type === 'response' || record.type === 'revisit';
  return carries ? parseHttpMessage(record.block) : null;
}
