/** Reads graph files; see tiles-format.ts for the bytes. */
import { crc32 } from 'node:zlib';
import {
  CorruptError,
  checkSealHeader,
  type Directory,
  type RandomFile,
  SEAL_HEADER_BYTES,
} from '../base/mod.ts';
import {
  GRAPH_KIND,
  GRAPH_TRAILER_BYTES,
  type GraphShape,
  MAX_WEIGHTS,
  RANGE_BITS,
  RANGE_MASK,
  RANGE_NODES,
  rangesOf,
} from './tiles-format.ts';

const CHECKSUM_BYTES = 4;
const READ_BYTES = 1 << 20;

/** An open graph file. Holds the tiles' sizes and the nodes' weights in memory, and no edge. */
export class GraphFile {
  readonly shape: GraphShape;
  /** How many edges each tile has, by column, weight and block. */
  readonly tiles: Uint32Array;
  /** The sum of the weights of each node's links. */
  readonly outWeights: Float32Array;
  readonly #file: RandomFile;
  readonly #name: string;

  constructor(directory: Directory, name: string) {
    this.#name = name;
    this.#file = directory.open(name);
    try {
      this.shape = this.#readShape();
      this.tiles = new Uint32Array(this.#tileCount());
      this.outWeights = new Float32Array(this.shape.nodeCount);
      const tilesAt = this.#wordsEnd();
      this.#readInto(tilesAt, new Uint8Array(this.tiles.buffer));
      this.#readInto(tilesAt + this.tiles.byteLength, new Uint8Array(this.outWeights.buffer));
    } catch (error) {
      this.#file.close();
      throw error;
    }
  }

  /** Reads all edges into `words`, which is as long as there are edges, and checks the whole file. */
  readWords(words: Uint32Array): void {
    const bytes = new Uint8Array(words.buffer, words.byteOffset, words.byteLength);
    let checksum = crc32(this.#file.read(0, SEAL_HEADER_BYTES));
    for (let at = 0; at < bytes.length; at += READ_BYTES) {
      const piece = this.#file.read(SEAL_HEADER_BYTES + at, Math.min(READ_BYTES, bytes.length - at));
      checksum = crc32(piece, checksum);
      bytes.set(piece, at);
    }
    this.#check(checksum);
  }

  /** Calls back for every edge, by column, kind and source. */
  forEachEdge(visit: (source: number, target: number, kind: number) => void): void {
    for (let column = 0; column < rangesOf(this.shape.nodeCount); column++) this.#visitColumn(column, visit);
  }

  /** The nodes that link to `node`, ascending within each kind: a reading of one column. */
  sourcesOf(node: number): number[] {
    const sources: number[] = [];
    this.#visitColumn(node >>> RANGE_BITS, (source, target) => {
      if (target === node) sources.push(source);
    });
    return sources;
  }

  close(): void {
    this.#file.close();
  }

  #visitColumn(column: number, visit: (source: number, target: number, kind: number) => void): void {
    const ranges = rangesOf(this.shape.nodeCount);
    const perColumn = ranges * this.shape.weights.length;
    let tile = column * perColumn;
    let position =
      SEAL_HEADER_BYTES + 4 * this.tiles.subarray(0, tile).reduce((sum, count) => sum + count, 0);
    for (const end = tile + perColumn; tile < end; tile++) {
      const bytes = this.#file.read(position, this.tiles[tile]! * 4);
      position += bytes.length;
      const block = (tile % ranges) * RANGE_NODES;
      const kind = Math.floor(tile / ranges) % this.shape.weights.length;
      for (let at = 0; at < bytes.length; at += 4) {
        const word = bytes.readUInt32LE(at);
        visit(block + (word >>> RANGE_BITS), column * RANGE_NODES + (word & RANGE_MASK), kind);
      }
    }
  }

  #readShape(): GraphShape {
    const end = this.#file.size - GRAPH_TRAILER_BYTES - CHECKSUM_BYTES;
    if (end < SEAL_HEADER_BYTES) throw new CorruptError(this.#name, this.#file.size, 'a graph', 'the end');
    checkSealHeader(this.#file.read(0, SEAL_HEADER_BYTES), GRAPH_KIND, this.#name);
    const bytes = this.#file.read(end, GRAPH_TRAILER_BYTES);
    const kinds = bytes.readUInt32LE(12);
    const weights = Array.from({ length: Math.min(kinds, MAX_WEIGHTS) }, (_, kind) =>
      bytes.readFloatLE(16 + 4 * kind),
    );
    const shape = { nodeCount: bytes.readUInt32LE(0), edgeCount: bytes.readDoubleLE(4), weights };
    const ranges = rangesOf(shape.nodeCount);
    const expected = SEAL_HEADER_BYTES + 4 * (shape.edgeCount + ranges * kinds * ranges + shape.nodeCount);
    if (expected !== end)
      throw new CorruptError(this.#name, end, `a trailer at ${expected}`, `one at ${end}`);
    return shape;
  }

  #tileCount(): number {
    return rangesOf(this.shape.nodeCount) ** 2 * this.shape.weights.length;
  }

  #wordsEnd(): number {
    return SEAL_HEADER_BYTES + 4 * this.shape.edgeCount;
  }

  #readInto(position: number, bytes: Uint8Array): void {
    bytes.set(this.#file.read(position, bytes.length));
  }

  #check(checksumOfWords: number): void {
    const from = this.#wordsEnd();
    const end = this.#file.size - CHECKSUM_BYTES;
    const actual = crc32(this.#file.read(from, end - from), checksumOfWords);
    const expected = this.#file.read(end, CHECKSUM_BYTES).readUInt32LE(0);
    if (actual !== expected)
      throw new CorruptError(this.#name, end, `checksum ${expected.toString(16)}`, actual.toString(16));
  }
}
