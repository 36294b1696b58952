/**
 * How important each document of a segment is by the link graph. On disk it is a sealed file
 * (magic GYK1), `seg-00000007.rank-00000012`, named after the generation that wrote it and never changed; body:
 *
 *   rank   f32[]   relative to the mean: 1 is an average page, 0 an unknown one
 *
 * Ranks live beside their segment, not in it, so that new ranks rewrite 4 bytes a document and no
 * postings.
 *
 * Of two documents with the ranks 1 and 0.5 it is  47 59 4B 31  01 00 00 00  00 00 80 3F  00 00 00 3F  EC 14 BB 03.
 */
import { CorruptError, type Directory, type FileKind, readSealed, writeSealed } from '../base/mod.ts';

const KIND: FileKind = { magic: 'GYK1', version: 1 };

export function writeRankColumn(directory: Directory, name: string, ranks: Float32Array): void {
  writeSealed(directory, name, KIND, new Uint8Array(ranks.buffer, ranks.byteOffset, ranks.byteLength));
}

export function readRankColumn(directory: Directory, name: string, docCount: number): Float32Array {
  const body = readSealed(directory, name, KIND);
  const ranks = new Float32Array(docCount);
  if (body.length !== ranks.byteLength) {
    throw new CorruptError(name, body.length, `a body of ${ranks.byteLength} bytes`, 'the end');
  }
  new Uint8Array(ranks.buffer).set(body);
  return ranks;
}
