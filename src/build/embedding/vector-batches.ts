/**
 * Files with vectors that are computed but not yet in the index. Each batch is a sealed file (magic GYB1),
 * `batch-00000007-0.vectors`, named after its number and the thread that wrote it, with the body:
 *
 *   dimension     u32
 *   modelLength   u32
 *   model         ASCII
 *   then per document:
 *     fingerprint   i64   of the URL
 *     stamp         u32   of the content (index/vectors/segment-vectors.ts)
 *     vector        i8[]  `dimension` numbers
 *
 * Example: a batch of the model `m1` with the vector (3, -4) of the URL with fingerprint 1, whose content has
 * the stamp 2:
 *
 *   47 59 42 31  01 00 00 00  02 00 00 00  02 00 00 00  6D 31
 *   01 00 00 00 00 00 00 00  02 00 00 00  03 FC  D4 C0 9D 07
 */
import { CorruptError, type Directory, type FileKind, readSealed, writeSealed } from '../../base/mod.ts';
import type { Embedder } from '../../meaning/mod.ts';

const KIND: FileKind = { magic: 'GYB1', version: 1 };
const NAME = /^batch-(\d+)-\d+\.vectors$/;
const HEADER_BYTES = 8;
const KEY_BYTES = 12;

/** The vector of one document, with the fingerprint of its URL and the stamp of its content. */
export interface VectorEntry {
  fingerprint: bigint;
  stamp: number;
  vector: Int8Array;
}

export interface VectorBatch {
  model: string;
  dimension: number;
  entries: readonly VectorEntry[];
}

export function hasVectorBatches(directory: Directory): boolean {
  return vectorBatches(directory).length > 0;
}

/** Returns the names of the batch files, oldest first. */
export function vectorBatches(directory: Directory): string[] {
  const numberOf = (name: string) => Number(NAME.exec(name)![1]);
  const names = directory.list().filter((name) => NAME.test(name));
  return names.sort((a, b) => numberOf(a) - numberOf(b));
}

/**
 * Writes vectors to a batch file, named after its number and `thread`. Threads that write at the same time must
 * pass different values of `thread`.
 */
export function writeVectorBatch(
  directory: Directory,
  { modelId: model, dimension }: Pick<Embedder, 'modelId' | 'dimension'>,
  entries: readonly VectorEntry[],
  thread: number,
): void {
  const last = vectorBatches(directory).at(-1);
  const number = last ? Number(NAME.exec(last)![1]) + 1 : 1;
  const entryBytes = KEY_BYTES + dimension;
  const start = HEADER_BYTES + model.length;
  const body = Buffer.alloc(start + entries.length * entryBytes);
  body.writeUInt32LE(dimension, 0);
  body.writeUInt32LE(model.length, 4);
  body.write(model, HEADER_BYTES, 'latin1');
  for (const [at, { fingerprint, stamp, vector }] of entries.entries()) {
    const offset = start + at * entryBytes;
    body.writeBigInt64LE(fingerprint, offset);
    body.writeUInt32LE(stamp, offset + 8);
    body.set(new Uint8Array(vector.buffer, vector.byteOffset, dimension), offset + KEY_BYTES);
  }
  writeSealed(directory, `batch-${String(number).padStart(8, '0')}-${thread}.vectors`, KIND, body);
}

export function readVectorBatch(directory: Directory, name: string): VectorBatch {
  const body = readSealed(directory, name, KIND);
  if (body.length < HEADER_BYTES) throw new CorruptError(name, body.length, 'a header', 'the end');
  const dimension = body.readUInt32LE(0);
  const start = HEADER_BYTES + body.readUInt32LE(4);
  const entryBytes = KEY_BYTES + dimension;
  if (start > body.length || (body.length - start) % entryBytes !== 0)
    throw new CorruptError(name, body.length, `entries of ${entryBytes} bytes`, 'the end');
  const entries: VectorEntry[] = [];
  for (let offset = start; offset < body.length; offset += entryBytes) {
    const fingerprint = body.readBigInt64LE(offset);
    const stamp = body.readUInt32LE(offset + 8);
    const vector = new Int8Array(body.buffer, body.byteOffset + offset + KEY_BYTES, dimension);
    entries.push({ fingerprint, stamp, vector });
  }
  return { model: body.toString('latin1', HEADER_BYTES, start), dimension, entries };
}
