/**
 * Writes the vectors of segments. A file is written immediately, named after the next generation, and becomes
 * visible with the next commit. If that commit never happens, the next index writer removes the file.
 */
import type { Directory, Log } from '../../base/mod.ts';
import { segmentVectorsName } from '../manifest.ts';
import { type SegmentReader, sideOrNone, type WritableSegment } from '../segment/mod.ts';
import { SIGNATURE_NUMBERS, signatureAt } from '../signature.ts';
import {
  countVectors,
  emptyColumn,
  hasVector,
  packedIn,
  readVectorColumn,
  setVector,
  type VectorColumn,
  writeVectorColumn,
} from './vector-column.ts';

/** The vector of a document. `stamp` identifies the content from which the vector was computed. */
export interface NewVector {
  vector: Int8Array;
  stamp: number;
}

/** Returns the stamp of a document: a number that changes when its title, language or content changes. */
export function stampOf(table: { readonly signatures: Uint32Array }, doc: number): number {
  const signature = signatureAt(table, doc);
  let stamp = 0;
  for (let at = 0; at < SIGNATURE_NUMBERS; at++) stamp = Math.imul(stamp ^ signature[at]!, 0x9e3779b1);
  return stamp >>> 0;
}

/**
 * Adds vectors of a model to a segment, by URL fingerprint. Drops vectors of another model, and vectors whose
 * document has changed since they were computed. Returns the number of vectors added.
 */
export function setVectors(
  directory: Directory,
  segment: WritableSegment,
  added: ReadonlyMap<bigint, NewVector>,
  { model, dimension }: Pick<VectorColumn, 'model' | 'dimension'>,
  generation: number,
  log: Log,
): number {
  const { table } = segment.reader;
  const fitting: { doc: number; vector: Int8Array }[] = [];
  for (const [doc, fingerprint] of table.fingerprints.entries()) {
    const found = added.get(fingerprint);
    if (found && found.stamp === stampOf(table, doc)) fitting.push({ doc, vector: found.vector });
  }
  if (fitting.length === 0) return 0;
  const known = columnOf(directory, segment, log);
  const isSame = known?.model === model && known.dimension === dimension;
  const column = isSame
    ? { ...known, vectors: Uint8Array.from(known.vectors) }
    : emptyColumn(model, dimension, segment.reader.docCount);
  for (const { doc, vector } of fitting) setVector(column, doc, vector);
  write(directory, segment, column, generation);
  return fitting.length;
}

/**
 * Gives a merged segment the vectors of its source segments. Skips damaged vectors; they are computed again
 * later.
 */
export function mergeVectors(
  directory: Directory,
  merged: WritableSegment,
  sources: readonly WritableSegment[],
  generation: number,
  log: Log,
): void {
  copyVectors(directory, merged, sources, generation, log, (source, doc) => !source.deletes.has(doc));
}

/**
 * Gives the documents of a new segment the vectors of their earlier versions in other segments, if title and
 * content have not changed.
 */
export function carryVectors(
  directory: Directory,
  segment: WritableSegment,
  others: readonly WritableSegment[],
  generation: number,
  log: Log,
): void {
  const { table } = segment.reader;
  copyVectors(
    directory,
    segment,
    others.filter(({ reader }) => sharesDocument(reader, table.fingerprints)),
    generation,
    log,
    ({ reader }, doc, own) => stampOf(reader.table, doc) === stampOf(table, own),
  );
}

function sharesDocument(reader: SegmentReader, fingerprints: BigInt64Array): boolean {
  return fingerprints.some((fingerprint) => reader.findDocument(fingerprint) >= 0);
}

/**
 * Copies vectors of source segments to a new segment. If the sources have vectors of several models, only the
 * model of the last source is used, because this is the newest segment.
 */
function copyVectors(
  directory: Directory,
  target: WritableSegment,
  sources: readonly WritableSegment[],
  generation: number,
  log: Log,
  isWanted: (source: WritableSegment, doc: number, own: number) => boolean,
): void {
  let column: VectorColumn | null = null;
  for (const source of sources.toReversed()) {
    const from = columnOf(directory, source, log);
    if (!from) continue;
    const { model, dimension } = from;
    column ??= emptyColumn(model, dimension, target.reader.docCount);
    if (column.model !== model || column.dimension !== dimension) continue;
    for (const [doc, fingerprint] of source.reader.table.fingerprints.entries()) {
      const own = target.reader.findDocument(fingerprint);
      if (own >= 0 && isWanted(source, doc, own)) packedIn(column, own).set(packedIn(from, doc));
    }
  }
  if (column && hasVector(column.vectors)) write(directory, target, column, generation);
}

function columnOf(directory: Directory, { entry, reader }: WritableSegment, log: Log): VectorColumn | null {
  const { vectors } = entry;
  if (!vectors) return null;
  return sideOrNone('vectors', vectors, log, () => readVectorColumn(directory, vectors, reader.docCount));
}

function write(
  directory: Directory,
  { entry }: WritableSegment,
  column: VectorColumn,
  generation: number,
): void {
  entry.vectors = segmentVectorsName(entry.file, generation);
  entry.embedded = countVectors(column);
  writeVectorColumn(directory, entry.vectors, column);
}
