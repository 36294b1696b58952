/**
 * Calls the kernel that compares vectors. Each segment with vectors has a kernel with its own memory:
 *
 *   query vector | code of the query | histogram, u32 per number of bits | dot products, i32 per document | vectors | codes
 *
 * Comparing 100,000 vectors of 128 bytes takes 1.6 ms. When the vectors of a large segment are loaded, a code
 * of one bit per number is computed for each vector. `compareClosest` first compares the query with these
 * codes, then exactly with the vectors whose codes are closest. This takes half the time. Of the 50 closest
 * of 65,000 pages, 98 % are among the 2,000 with the closest codes, and of the 10 closest 99 % (150 queries).
 */
import { loadKernel } from '../../base/mod.ts';

/** The functions that the kernel assembly/vectors/compare.ts exports. */
interface VectorCalls {
  compare(vectors: number, count: number, bytes: number, step: number, query: number, to: number): void;
  dot(vector: number, query: number, bytes: number): number;
  writeCodes(vectors: number, count: number, bytes: number, codes: number): void;
  compareClosest(
    vectors: number,
    codes: number,
    count: number,
    bytes: number,
    step: number,
    query: number,
    queryCode: number,
    histogram: number,
    keep: number,
    to: number,
  ): void;
}

const PAGE_BYTES = 65_536;
/**
 * Only segments with at least this many documents have one-bit codes. In smaller segments, comparing all
 * vectors takes less than 3 ms.
 */
const CODES_FROM = 200_000;
/**
 * The share of a segment's vectors that are compared exactly: those with the closest one-bit codes. At least
 * `MIN_CLOSE` vectors are compared.
 */
const CLOSE_SHARE = 0.02;
const MIN_CLOSE = 2000;

export class VectorKernel {
  readonly #calls: VectorCalls;
  readonly #query: Int8Array;
  readonly #queryCode: Uint32Array;
  readonly #histogram: Uint32Array;
  readonly #products: Int32Array;
  readonly #vectors: Uint8Array;
  /** The address of the one-bit codes of the vectors; null if the segment has no codes. */
  readonly #codesAt: number | null;
  /** The size of a stored vector in bytes. */
  readonly #bytes: number;
  readonly #step: number;

  /**
   * Copies the vectors of a segment into the kernel's memory. A vector has `bytes` bytes, a multiple of 16;
   * each byte holds two 4-bit numbers in units of `step`. One-bit codes are computed if there are at least
   * `codesFrom` documents.
   */
  constructor(vectors: Uint8Array, bytes: number, step: number, codesFrom = CODES_FROM) {
    const count = vectors.length / bytes;
    const codeBytes = bytes / 4;
    const codeAt = 2 * bytes;
    const histogramAt = codeAt + codeBytes;
    const productsAt = histogramAt + 4 * (2 * bytes + 1);
    const vectorsAt = Math.ceil((productsAt + 4 * count) / 16) * 16;
    const codesAt = vectorsAt + vectors.length;
    const hasCodes = count >= codesFrom && bytes % 64 === 0;
    const pages = Math.ceil((codesAt + (hasCodes ? codeBytes * count : 0)) / PAGE_BYTES);
    const memory = new WebAssembly.Memory({ initial: pages, maximum: PAGE_BYTES });
    const { buffer } = memory;
    this.#calls = loadKernel(new URL('./vectors.wasm', import.meta.url), memory);
    this.#query = new Int8Array(buffer, 0, 2 * bytes);
    this.#queryCode = new Uint32Array(buffer, codeAt, codeBytes / 4);
    this.#histogram = new Uint32Array(buffer, histogramAt, 2 * bytes + 1);
    this.#products = new Int32Array(buffer, productsAt, count);
    this.#vectors = new Uint8Array(buffer, vectorsAt, vectors.length);
    this.#bytes = bytes;
    this.#step = step;
    this.#vectors.set(vectors);
    this.#codesAt = hasCodes ? codesAt : null;
    if (hasCodes) this.#calls.writeCodes(vectorsAt, count, bytes, codesAt);
  }

  /** Returns the dot product of `query` with each vector. The result is valid until the next call. */
  compare(query: Int8Array): Int32Array {
    this.#query.set(query);
    const { byteOffset } = this.#vectors;
    this.#calls.compare(
      byteOffset,
      this.#products.length,
      this.#bytes,
      this.#step,
      0,
      this.#products.byteOffset,
    );
    return this.#products;
  }

  /**
   * Returns the dot products of `query` with the closest vectors, and 0 for all other vectors. If the segment
   * has one-bit codes, they select the closest vectors; otherwise all vectors are compared. The result is valid
   * until the next call.
   */
  compareClosest(query: Int8Array): Int32Array {
    if (this.#codesAt === null) return this.compare(query);
    this.#query.set(query);
    this.#queryCode.fill(0);
    for (const [i, number] of query.entries()) if (number < 0) this.#queryCode[i >> 5]! |= 1 << (i & 31);
    this.#histogram.fill(0);
    const count = this.#products.length;
    this.#calls.compareClosest(
      this.#vectors.byteOffset,
      this.#codesAt,
      count,
      this.#bytes,
      this.#step,
      0,
      this.#queryCode.byteOffset,
      this.#histogram.byteOffset,
      Math.max(MIN_CLOSE, CLOSE_SHARE * count),
      this.#products.byteOffset,
    );
    return this.#products;
  }

  compareOne(doc: number, query: Int8Array): number {
    this.#query.set(query);
    return this.#calls.dot(this.#vectors.byteOffset + doc * this.#bytes, 0, this.#bytes) * this.#step;
  }

  /** Returns the stored vector of a document, as a view of the kernel's memory. */
  vectorAt(doc: number): Uint8Array {
    return this.#vectors.subarray(doc * this.#bytes, (doc + 1) * this.#bytes);
  }
}
