/**
 * Distributes edges to buckets, within `memoryBytes` for any number of edges. Buckets are in memory. The
 * edges of a full bucket are written to a file as a batch, and read back batch by batch. If all edges fit
 * into memory, no file is created.
 */
import { type AppendFile, type Directory, partOf, type RandomFile } from '../../base/mod.ts';

const EDGE_BYTES = 8;
const MIN_BATCH = 64;
const MAX_BATCH = 32_768;

interface Batch {
  position: number;
  edges: number;
}

export class EdgeSpill {
  readonly #directory: Directory;
  readonly #name: string;
  readonly #capacity: number;
  /** The edges of all buckets: source and target alternate. Each bucket has room for `#capacity` edges. */
  readonly #pairs: Uint32Array;
  readonly #filled: Uint32Array;
  readonly #spilled: Batch[][];
  #out: AppendFile | null = null;
  #in: RandomFile | null = null;

  constructor(directory: Directory, name: string, buckets: number, memoryBytes: number) {
    this.#directory = directory;
    this.#name = partOf(name);
    const fair = Math.floor(memoryBytes / EDGE_BYTES / Math.max(1, buckets));
    this.#capacity = Math.min(MAX_BATCH, Math.max(MIN_BATCH, fair));
    this.#pairs = new Uint32Array(buckets * this.#capacity * 2);
    this.#filled = new Uint32Array(buckets);
    this.#spilled = Array.from({ length: buckets }, () => []);
  }

  add(bucket: number, source: number, target: number): void {
    const filled = this.#filled[bucket]!;
    const at = (bucket * this.#capacity + filled) * 2;
    this.#pairs[at] = source;
    this.#pairs[at + 1] = target;
    this.#filled[bucket] = filled + 1;
    if (filled + 1 === this.#capacity) this.#flush(bucket);
  }

  countOf(bucket: number): number {
    return this.#spilled[bucket]!.reduce((sum, { edges }) => sum + edges, this.#filled[bucket]!);
  }

  /**
   * Yields the edges of a bucket in batches, in the order in which they were added. Source and target
   * alternate.
   */
  *batches(bucket: number): Generator<Uint32Array> {
    for (const { position, edges } of this.#spilled[bucket]!) {
      this.#in ??= this.#directory.open(this.#name);
      const bytes = this.#in.read(position, edges * EDGE_BYTES);
      yield new Uint32Array(bytes.buffer, bytes.byteOffset, edges * 2);
    }
    const start = bucket * this.#capacity * 2;
    yield this.#pairs.subarray(start, start + this.#filled[bucket]! * 2);
  }

  close(): void {
    this.#in?.close();
    if (!this.#out) return;
    this.#out.close();
    this.#directory.remove(this.#name);
  }

  #flush(bucket: number): void {
    this.#out ??= this.#directory.append(this.#name, 0);
    const start = bucket * this.#capacity * EDGE_BYTES;
    const edges = this.#filled[bucket]!;
    this.#spilled[bucket]!.push({ position: this.#out.length, edges });
    this.#out.write(new Uint8Array(this.#pairs.buffer, start, edges * EDGE_BYTES));
    this.#filled[bucket] = 0;
  }
}
