/**
 * The kernel that compares vectors, over a memory of its own that contains the vectors of a segment:
 *
 *   query vector | dot products, i32 per document | vectors
 */
import { loadKernel } from '../../base/mod.ts';

/** The exports of assembly/vectors/compare.ts. */
interface VectorCalls {
  compare(vectors: number, count: number, bytes: number, step: number, query: number, to: number): void;
  dot(vector: number, query: number, bytes: number): number;
}

const PAGE_BYTES = 65_536;

export class VectorKernel {
  readonly #calls: VectorCalls;
  readonly #query: Int8Array;
  readonly #products: Int32Array;
  readonly #vectors: Uint8Array;
  /** The bytes of a vector. */
  readonly #bytes: number;
  readonly #step: number;

  /**
   * Copies the vectors. Each document has `bytes` bytes, a multiple of 16, and each byte has two numbers in units of
   * `step`.
   */
  constructor(vectors: Uint8Array, bytes: number, step: number) {
    const count = vectors.length / bytes;
    const vectorsAt = Math.ceil((2 * bytes + 4 * count) / 16) * 16;
    const pages = Math.ceil((vectorsAt + vectors.length) / PAGE_BYTES);
    const memory = new WebAssembly.Memory({ initial: pages, maximum: PAGE_BYTES });
    this.#calls = loadKernel(new URL('./vectors.wasm', import.meta.url), memory);
    this.#query = new Int8Array(memory.buffer, 0, 2 * bytes);
    this.#products = new Int32Array(memory.buffer, 2 * bytes, count);
    this.#vectors = new Uint8Array(memory.buffer, vectorsAt, vectors.length);
    this.#bytes = bytes;
    this.#step = step;
    this.#vectors.set(vectors);
  }

  /** Returns the dot product with each vector. The result is valid until the next call. */
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

  compareOne(doc: number, query: Int8Array): number {
    this.#query.set(query);
    return this.#calls.dot(this.#vectors.byteOffset + doc * this.#bytes, 0, this.#bytes) * this.#step;
  }

  /** Returns a view of the kernel's memory. */
  vectorAt(doc: number): Uint8Array {
    return this.#vectors.subarray(doc * this.#bytes, (doc + 1) * this.#bytes);
  }
}
