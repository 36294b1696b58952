/** Reads graph files; tiles-format.ts describes the bytes. */
import { crc32 } from 'node:zlib';
import {
  CorruptError,
  checkSealHeader,
  type Directory,
  type RandomFile,
  SEAL_HEADER_BYTES,
} from '../../base/mod.ts';
import {
  GRAPH_KIND,
  GRAPH_TRAILER_BYTES,
  type GraphShape,
  MAX_WEIGHTS,
  RANGE_BITS,
  RANGE_MASK,
  RANGE_NODES,
  tileRangesOf,
} from './tiles-format.ts';

const CHECKSUM_BYTES = 4;
const READ_BYTES = 1 << 20;

/**
 * An open graph file. The sizes of the tiles and the link weights of the nodes are in memory. Edges are read
 * from disk.
 */
export class GraphFile {
  readonly shape: GraphShape;
  /** The number of edges of each tile, in the order of column, weight and block. */
  readonly tiles: Uint32Array;
  /** The sum of the weights of each node's outgoing links. */
  readonly outWeights: Float32Array;
  /** The CRC-32 of each tile; null in files of version 1, which have one checksum for the whole file. */
  readonly #checks: Uint32Array | null;
  readonly #file: RandomFile;
  readonly #name: string;

  /** Opens a graph file and verifies all of it except its edges. Edges are verified when they are read. */
  constructor(directory: Directory, name: string) {
    this.#name = name;
    this.#file = directory.open(name);
    try {
      const header = this.#readHeader();
      const hasChecks = header.readUInt32LE(4) > 1;
      this.shape = this.#readShape(hasChecks);
      this.tiles = new Uint32Array(this.#tileCount());
      this.#checks = hasChecks ? new Uint32Array(this.tiles.length) : null;
      this.outWeights = new Float32Array(this.shape.nodeCount);
      let at = this.#wordsEnd();
      for (const { buffer } of [this.tiles, ...(this.#checks ? [this.#checks] : []), this.outWeights]) {
        this.#readInto(at, new Uint8Array(buffer));
        at += buffer.byteLength;
      }
      if (hasChecks) this.#checkRest(crc32(header));
    } catch (error) {
      this.#file.close();
      throw error;
    }
  }

  /** Reads all edges into `words`, whose length must be the number of edges. */
  readWords(words: Uint32Array): void {
    const bytes = new Uint8Array(words.buffer, words.byteOffset, words.byteLength);
    let checksum = crc32(this.#file.read(0, SEAL_HEADER_BYTES));
    for (let at = 0; at < bytes.length; at += READ_BYTES) {
      const piece = this.#file.read(SEAL_HEADER_BYTES + at, Math.min(READ_BYTES, bytes.length - at));
      if (!this.#checks) checksum = crc32(piece, checksum);
      bytes.set(piece, at);
    }
    if (!this.#checks) {
      this.#checkRest(checksum);
      return;
    }
    let at = 0;
    for (const [tile, count] of this.tiles.entries()) {
      this.#checkTile(tile, bytes.subarray(at, at + 4 * count), SEAL_HEADER_BYTES + at);
      at += 4 * count;
    }
  }

  /** Calls `visit` for every edge, in the order of column, kind and source. */
  forEachEdge(visit: (source: number, target: number, kind: number) => void): void {
    for (let column = 0; column < tileRangesOf(this.shape.nodeCount); column++)
      this.#visitColumn(column, visit);
  }

  /** Returns the nodes that link to `node`, in ascending order within each kind of edge. Reads one column. */
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
    const ranges = tileRangesOf(this.shape.nodeCount);
    const perColumn = ranges * this.shape.weights.length;
    let tile = column * perColumn;
    let position =
      SEAL_HEADER_BYTES + 4 * this.tiles.subarray(0, tile).reduce((sum, count) => sum + count, 0);
    for (const end = tile + perColumn; tile < end; tile++) {
      const bytes = this.#file.read(position, this.tiles[tile]! * 4);
      this.#checkTile(tile, bytes, position);
      position += bytes.length;
      const block = (tile % ranges) * RANGE_NODES;
      const kind = Math.floor(tile / ranges) % this.shape.weights.length;
      for (let at = 0; at < bytes.length; at += 4) {
        const word = bytes.readUInt32LE(at);
        visit(block + (word >>> RANGE_BITS), column * RANGE_NODES + (word & RANGE_MASK), kind);
      }
    }
  }

  #readHeader(): Buffer {
    const least = SEAL_HEADER_BYTES + GRAPH_TRAILER_BYTES + CHECKSUM_BYTES;
    if (this.#file.size < least) throw this.#damaged(this.#file.size, 'a graph', 'the end');
    const header = this.#file.read(0, SEAL_HEADER_BYTES);
    checkSealHeader(header, GRAPH_KIND, this.#name);
    return header;
  }

  #readShape(hasChecks: boolean): GraphShape {
    const end = this.#file.size - GRAPH_TRAILER_BYTES - CHECKSUM_BYTES;
    const bytes = this.#file.read(end, GRAPH_TRAILER_BYTES);
    const kinds = bytes.readUInt32LE(12);
    const weights = Array.from({ length: Math.min(kinds, MAX_WEIGHTS) }, (_, kind) =>
      bytes.readFloatLE(16 + 4 * kind),
    );
    const shape = { nodeCount: bytes.readUInt32LE(0), edgeCount: bytes.readDoubleLE(4), weights };
    const ranges = tileRangesOf(shape.nodeCount);
    const tileWords = ranges * kinds * ranges * (hasChecks ? 2 : 1);
    const expected = SEAL_HEADER_BYTES + 4 * (shape.edgeCount + tileWords + shape.nodeCount);
    if (expected !== end) throw this.#damaged(end, `a trailer at ${expected}`, `one at ${end}`);
    return shape;
  }

  #tileCount(): number {
    return tileRangesOf(this.shape.nodeCount) ** 2 * this.shape.weights.length;
  }

  #wordsEnd(): number {
    return SEAL_HEADER_BYTES + 4 * this.shape.edgeCount;
  }

  #readInto(position: number, bytes: Uint8Array): void {
    bytes.set(this.#file.read(position, bytes.length));
  }

  #checkTile(tile: number, words: Uint8Array, position: number): void {
    if (!this.#checks) return;
    this.#requireEqual(crc32(words), this.#checks[tile]!, position);
  }

  /**
   * Verifies the end of the file, from the sizes of the tiles on. `before` is the checksum of the header; in
   * files of version 1, of header and edges.
   */
  #checkRest(before: number): void {
    const from = this.#wordsEnd();
    const end = this.#file.size - CHECKSUM_BYTES;
    const actual = crc32(this.#file.read(from, end - from), before);
    this.#requireEqual(actual, this.#file.read(end, CHECKSUM_BYTES).readUInt32LE(0), end);
  }

  #requireEqual(actual: number, expected: number, position: number): void {
    if (actual === expected) return;
    throw this.#damaged(position, `checksum ${expected.toString(16)}`, actual.toString(16));
  }

  #damaged(position: number, expected: string, got: string): CorruptError {
    return new CorruptError(this.#name, position, expected, got, 'run gyre rank');
  }
}
