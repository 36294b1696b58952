/**
 * The vectors of the documents of a segment. On disk they are a sealed file (magic GYM1),
 * `seg-00000007.vec-00000012`, named after the generation that wrote it and never changed. Its body is:
 *
 *   dimension     u32
 *   modelLength   u32
 *   model         ASCII   the id of the model that computed the vectors
 *   vectors       u8[]    `bytesOf(dimension)` per document; all 0 for a document without a vector
 *
 * Vectors are given with 8 bits per number and stored with 4. In the same number of bytes, twice as many
 * numbers with 4 bits describe the original vector better than numbers with 8 bits. A number is divided by
 * `stepOf(dimension)`, rounded and limited to ±7. Sixteen bytes have 32 numbers: the low halves of the bytes
 * are the first 16, the high halves the others. All vectors have about the same length, 256, so the dot product
 * of two of them is comparable over all documents.
 *
 * Example: for two documents, of which the first has the vector (36, -48) of the model `m1`, the file is
 *
 *   47 59 4D 31  01 00 00 00  02 00 00 00  02 00 00 00  6D 31
 *   03 0C 00 00 00 00 00 00 00 00 00 00 00 00 00 00  00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00  2F 04 A7 1F
 *
 * In memory the vectors are in the memory of a WebAssembly kernel, which compares all of them with a query.
 */
import { CorruptError, type Directory, type FileKind, readSealed, writeSealed } from '../../base/mod.ts';
import { VectorKernel } from '../kernels/mod.ts';

const KIND: FileKind = { magic: 'GYM1', version: 1 };
const HEADER_BYTES = 8;

/** The vectors of a segment as they are on disk. */
export interface VectorColumn {
  /** The id of the model that computed the vectors. */
  model: string;
  dimension: number;
  /** The packed vectors, `bytesOf(dimension)` bytes for each document. */
  vectors: Uint8Array;
}

/** The vectors of a segment, loaded into a kernel that compares them. */
export interface SegmentVectors {
  readonly model: string;
  readonly dimension: number;
  /**
   * Returns the dot product of `vector` with the vector of each document; 0 for documents without one. The
   * result is valid until the next call.
   */
  compare(vector: Int8Array): Int32Array;
  /**
   * Like `compare`, but in a large segment much faster: it computes the dot products of the closest documents
   * only, and returns 0 for the others.
   */
  compareClosest(vector: Int8Array): Int32Array;
  compareOne(doc: number, vector: Int8Array): number;
  /** Returns the vector of a document, or null if it has none. */
  vectorAt(doc: number): Int8Array | null;
  has(doc: number): boolean;
}

/**
 * Returns the unit in which the numbers of a vector are stored: 3/8 of their root mean square, for a vector
 * of length 256. This unit loses the least precision.
 */
function stepOf(dimension: number): number {
  return Math.round(96 / Math.sqrt(Math.max(dimension, 64)));
}

function bytesOf(dimension: number): number {
  return Math.ceil(dimension / 32) * 16;
}

/** Returns the vectors of a segment in which no document has a vector yet. */
export function emptyColumn(model: string, dimension: number, docCount: number): VectorColumn {
  return { model, dimension, vectors: new Uint8Array(bytesOf(dimension) * docCount) };
}

export function setVector(column: VectorColumn, doc: number, vector: Int8Array): void {
  const step = stepOf(column.dimension);
  const bytes = packedIn(column, doc).fill(0);
  for (const [i, number] of vector.entries()) {
    const level = Math.max(-7, Math.min(7, Math.round(number / step)));
    bytes[placeOf(i)]! |= (level & 15) << shiftOf(i);
  }
}

/**
 * Returns the index of the byte that contains number `i` of a packed vector. `shiftOf` returns the shift
 * within this byte.
 */
const placeOf = (i: number): number => (i >> 5) * 16 + (i & 15);
const shiftOf = (i: number): number => (i & 16) >> 2;

function unpack(bytes: Uint8Array, dimension: number): Int8Array {
  const step = stepOf(dimension);
  return Int8Array.from(
    { length: dimension },
    (_, i) => ((bytes[placeOf(i)]! << (28 - shiftOf(i))) >> 28) * step,
  );
}

export function writeVectorColumn(directory: Directory, name: string, column: VectorColumn): void {
  const { model, dimension, vectors } = column;
  const header = Buffer.alloc(HEADER_BYTES + model.length);
  header.writeUInt32LE(dimension, 0);
  header.writeUInt32LE(model.length, 4);
  header.write(model, HEADER_BYTES, 'latin1');
  writeSealed(directory, name, KIND, Buffer.concat([header, vectors]));
}

/** Reads the vectors of a segment. They are a view of the bytes of the file, not a copy. */
export function readVectorColumn(directory: Directory, name: string, docCount: number): VectorColumn {
  const body = readSealed(directory, name, KIND);
  if (body.length < HEADER_BYTES) throw new CorruptError(name, body.length, 'a header', 'the end');
  const dimension = body.readUInt32LE(0);
  const start = HEADER_BYTES + body.readUInt32LE(4);
  const expected = start + bytesOf(dimension) * docCount;
  if (body.length !== expected)
    throw new CorruptError(name, body.length, `a body of ${expected} bytes`, 'the end');
  const model = body.toString('latin1', HEADER_BYTES, start);
  return { model, dimension, vectors: body.subarray(start) };
}

/** Reads the vectors of a segment into a kernel. */
export function readVectors(directory: Directory, name: string, docCount: number): SegmentVectors {
  const column = readVectorColumn(directory, name, docCount);
  const { model, dimension } = column;
  const step = stepOf(dimension);
  const kernel = new VectorKernel(column.vectors, bytesOf(dimension), step);
  const has = (doc: number) => hasVector(kernel.vectorAt(doc));
  return {
    model,
    dimension,
    compare: (vector) => kernel.compare(vector),
    compareClosest: (vector) => kernel.compareClosest(vector),
    compareOne: (doc, vector) => kernel.compareOne(doc, vector),
    vectorAt: (doc) => (has(doc) ? unpack(kernel.vectorAt(doc), dimension) : null),
    has,
  };
}

/** Returns the packed vector of a document, as a view. */
export function packedIn({ vectors, dimension }: VectorColumn, doc: number): Uint8Array {
  const bytes = bytesOf(dimension);
  return vectors.subarray(doc * bytes, (doc + 1) * bytes);
}

/**
 * Returns true if a packed vector is not all 0. This is a plain loop for speed, because it runs for every
 * document when an index is opened.
 */
export function hasVector(packed: Uint8Array): boolean {
  for (let at = 0; at < packed.length; at++) if (packed[at] !== 0) return true;
  return false;
}

export function countVectors({ vectors, dimension }: VectorColumn): number {
  const bytes = bytesOf(dimension);
  let count = 0;
  for (let end = bytes; end <= vectors.length; end += bytes) {
    for (let at = end - bytes; at < end; at++) {
      if (vectors[at] === 0) continue;
      count++;
      break;
    }
  }
  return count;
}
