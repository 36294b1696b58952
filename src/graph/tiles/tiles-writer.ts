/**
 * Builds a graph file from edges in any order, within bounded memory; tiles-format.ts describes the bytes.
 *
 *   add -> buckets, one per column and weight -> written to disk if large -> sorted, distinct -> words
 *
 * A column that is too large to be sorted at once is sorted in ranges of blocks. Its bucket is read once for
 * each range.
 */
import { crc32 } from 'node:zlib';
import { type AppendFile, type Directory, GyreError, partOf, sealHeader } from '../../base/mod.ts';
import { ALL_SOURCES, EdgeSorter } from './edge-sort.ts';
import { EdgeSpill } from './edge-spill.ts';
import {
  GRAPH_KIND,
  GRAPH_PART_BYTES,
  GRAPH_TRAILER_BYTES,
  type GraphPart,
  type GraphShape,
  MAX_WEIGHTS,
  RANGE_BITS,
  RANGE_MASK,
  RANGE_NODES,
  tileRangesOf,
  wholeGraph,
} from './tiles-format.ts';

interface GraphBuilderOptions {
  /** The number of nodes in the columns of the file. */
  nodeCount: number;
  /** The columns of the file, if it has only a part of the graph. */
  part?: GraphPart;
  /**
   * The sum of the weights of the links of each node. It is required for a part, because a node also links to nodes in
   * other parts. By default it is computed from the edges.
   */
  outWeights?: Float32Array;
  /** The weight of each kind of edge. By default there is one kind with weight 1. */
  weights?: readonly number[];
  /**
   * The maximum memory in bytes for edges in buckets. Sorting takes half as much in addition. Default: 64 MiB.
   */
  memoryBytes?: number;
}

const DEFAULT_MEMORY_BYTES = 64 * 1024 * 1024;
const WORDS_AT_ONCE = 1 << 18;

export class GraphBuilder {
  readonly #directory: Directory;
  readonly #name: string;
  readonly #nodeCount: number;
  readonly #ranges: number;
  readonly #part: GraphPart;
  readonly #firstNode: number;
  readonly #weights: readonly number[];
  readonly #spill: EdgeSpill;
  readonly #chunkEdges: number;
  readonly #outWeights: Float32Array;
  readonly #countsWeights: boolean;

  constructor(directory: Directory, name: string, options: GraphBuilderOptions) {
    const { nodeCount, weights = [1], memoryBytes = DEFAULT_MEMORY_BYTES } = options;
    this.#directory = directory;
    this.#name = name;
    this.#nodeCount = nodeCount;
    this.#ranges = tileRangesOf(nodeCount);
    this.#part = options.part ?? wholeGraph(nodeCount);
    this.#firstNode = this.#part.firstColumn * RANGE_NODES;
    this.#weights = weights;
    this.#spill = new EdgeSpill(directory, `${name}.edges`, this.#ranges * weights.length, memoryBytes);
    this.#chunkEdges = Math.max(1024, Math.floor(memoryBytes / 32));
    this.#outWeights = options.outWeights ?? new Float32Array(nodeCount);
    this.#countsWeights = options.outWeights === undefined;
  }

  /** Adds an edge. `target` must be in a column of the file; `source` can be any node of the graph. */
  add(source: number, node: number, kind = 0): void {
    const target = node - this.#firstNode;
    if (source >>> 0 !== source || target >>> 0 !== target) this.#refuse(source, node);
    if (source >= this.#endOfSources() || target >= this.#nodeCount) this.#refuse(source, node);
    if (kind >>> 0 !== kind || kind >= this.#weights.length) this.#refuseKind(kind);
    if (source !== node)
      this.#spill.add((target >>> RANGE_BITS) * this.#weights.length + kind, source, target);
  }

  #endOfSources(): number {
    const isWhole = this.#part.blocks === this.#ranges;
    return isWhole ? this.#nodeCount : this.#part.blocks * RANGE_NODES;
  }

  /** Writes the graph file under a temporary name and renames it, so that it is complete or absent. */
  finish(): GraphShape {
    const part = partOf(this.#name);
    const file = this.#directory.append(part, 0);
    try {
      const shape = this.#write(new ChecksummedFile(file));
      file.close();
      this.#directory.rename(part, this.#name);
      return shape;
    } catch (error) {
      file.close();
      this.#directory.remove(part);
      throw error;
    } finally {
      this.#spill.close();
    }
  }

  #write(file: ChecksummedFile): GraphShape {
    file.write(sealHeader(GRAPH_KIND));
    const { blocks } = this.#part;
    const tiles = new Uint32Array(this.#ranges * this.#weights.length * blocks);
    const checks = new Uint32Array(tiles.length);
    const words = new WordStream(file);
    const sorter = new EdgeSorter(this.#sorterCapacity());
    for (let bucket = 0; bucket < this.#ranges * this.#weights.length; bucket++) {
      const [first, end] = [bucket * blocks, (bucket + 1) * blocks];
      const tilesOfBucket = { counts: tiles.subarray(first, end), checks: checks.subarray(first, end) };
      this.#writeBucket(bucket, sorter, tilesOfBucket, words);
    }
    words.flush();
    file.write(bytesOf(tiles));
    file.write(bytesOf(checks));
    file.write(bytesOf(this.#outWeights));
    const shape = {
      nodeCount: this.#nodeCount,
      edgeCount: words.count,
      weights: this.#weights,
      ...this.#part,
    };
    file.write(trailer(shape));
    file.seal();
    return shape;
  }

  #sorterCapacity(): number {
    let largest = 1;
    for (let bucket = 0; bucket < this.#ranges * this.#weights.length; bucket++)
      largest = Math.max(largest, this.#spill.countOf(bucket));
    return Math.min(largest, this.#chunkEdges);
  }

  #writeBucket(bucket: number, sorter: EdgeSorter, { counts, checks }: TileRow, words: WordStream): void {
    const weight = this.#weights[bucket % this.#weights.length]!;
    let block = 0;
    for (const { low, high } of this.#stretches(bucket)) {
      sorter.clear();
      for (const pairs of this.#spill.batches(bucket)) sorter.gather(pairs, low, high);
      const pairs = sorter.finish();
      for (let at = 0; at < pairs.length; at += 2) {
        const source = pairs[at]!;
        while (block < source >>> RANGE_BITS) checks[block++] = words.endTile();
        counts[block]!++;
        if (this.#countsWeights) this.#outWeights[source]! += weight;
        words.push(((source << RANGE_BITS) | (pairs[at + 1]! & RANGE_MASK)) >>> 0);
      }
    }
    while (block < checks.length) checks[block++] = words.endTile();
  }

  /**
   * Divides the sources of a bucket into ranges. Each range has few enough edges to be sorted at once, or is
   * a single block.
   */
  #stretches(bucket: number): { low: number; high: number }[] {
    const total = this.#spill.countOf(bucket);
    if (total === 0) return [];
    if (total <= this.#chunkEdges) return [{ low: 0, high: ALL_SOURCES }];
    const inBlock = new Float64Array(this.#part.blocks);
    for (const pairs of this.#spill.batches(bucket)) {
      for (let at = 0; at < pairs.length; at += 2) inBlock[pairs[at]! >>> RANGE_BITS]!++;
    }
    const stretches: { low: number; high: number }[] = [];
    let edges = Number.POSITIVE_INFINITY;
    inBlock.forEach((count, block) => {
      edges += count;
      if (edges > this.#chunkEdges) stretches.push({ low: block * RANGE_NODES, high: 0 });
      if (edges > this.#chunkEdges) edges = count;
      stretches.at(-1)!.high = (block + 1) * RANGE_NODES;
    });
    return stretches;
  }

  #refuseKind(kind: number): never {
    const expected = `a kind of edge below ${this.#weights.length}`;
    throw new GyreError('edge-of-unknown-kind', `${this.#name}: expected ${expected}, got ${kind}`);
  }

  #refuse(source: number, target: number): never {
    throw new GyreError(
      'edge-out-of-range',
      `${this.#name}: expected whole numbers of nodes below ${this.#firstNode + this.#nodeCount}, got the edge ${source} -> ${target}`,
    );
  }
}

/** The tiles of one column and one weight, in order of their blocks. */
interface TileRow {
  counts: Uint32Array;
  checks: Uint32Array;
}

class ChecksummedFile {
  readonly #file: AppendFile;
  #checksum = 0;

  constructor(file: AppendFile) {
    this.#file = file;
  }

  write(bytes: Uint8Array): void {
    this.#checksum = crc32(bytes, this.#checksum);
    this.#file.write(bytes);
  }

  /** Writes bytes that have their own checksums. The checksum of the file does not include them. */
  writeUnsealed(bytes: Uint8Array): void {
    this.#file.write(bytes);
  }

  seal(): void {
    const footer = Buffer.alloc(4);
    footer.writeUInt32LE(this.#checksum);
    this.#file.write(footer);
  }
}

class WordStream {
  readonly #file: ChecksummedFile;
  readonly #words = new Uint32Array(WORDS_AT_ONCE);
  #filled = 0;
  #written = 0;
  /** The index of the first word that the checksum `#check` does not include yet. */
  #unchecked = 0;
  #check = 0;

  constructor(file: ChecksummedFile) {
    this.#file = file;
  }

  get count(): number {
    return this.#written + this.#filled;
  }

  push(word: number): void {
    this.#words[this.#filled++] = word;
    if (this.#filled === WORDS_AT_ONCE) this.flush();
  }

  endTile(): number {
    this.#checkWords();
    const check = this.#check;
    this.#check = 0;
    return check;
  }

  flush(): void {
    this.#checkWords();
    this.#file.writeUnsealed(bytesOf(this.#words.subarray(0, this.#filled)));
    this.#written += this.#filled;
    this.#filled = 0;
    this.#unchecked = 0;
  }

  #checkWords(): void {
    if (this.#unchecked === this.#filled) return;
    this.#check = crc32(bytesOf(this.#words.subarray(this.#unchecked, this.#filled)), this.#check);
    this.#unchecked = this.#filled;
  }
}

function trailer({ nodeCount, edgeCount, weights, firstColumn, blocks }: GraphShape): Buffer {
  const bytes = Buffer.alloc(GRAPH_TRAILER_BYTES + GRAPH_PART_BYTES);
  bytes.writeUInt32LE(nodeCount, 0);
  bytes.writeDoubleLE(edgeCount, 4);
  bytes.writeUInt32LE(weights.length, 12);
  weights.slice(0, MAX_WEIGHTS).forEach((weight, kind) => {
    bytes.writeFloatLE(weight, 16 + 4 * kind);
  });
  bytes.writeUInt32LE(firstColumn, GRAPH_TRAILER_BYTES);
  bytes.writeUInt32LE(blocks, GRAPH_TRAILER_BYTES + 4);
  return bytes;
}

function bytesOf(array: Uint32Array | Float32Array): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}
