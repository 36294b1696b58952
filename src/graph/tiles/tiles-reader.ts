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
  GRAPH_PART_BYTES,
  GRAPH_TRAILER_BYTES,
  type GraphShape,
  MAX_WEIGHTS,
  RANGE_BITS,
  RANGE_MASK,
  RANGE_NODES,
  tileRangesOf,
  wholeGraph,
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
  readonly #version: number;

  /** Opens a graph file and verifies all of it except its edges. Edges are verified when they are read. */
  constructor(directory: Directory, name: string) {
    this.#name = name;
    this.#file = directory.open(name);
    try {
      const header = this.#readHeader();
      this.#version = header.readUInt32LE(4);
      const hasChecks = this.#version > 1;
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
    const bytes = this.readColumns(0, tileRangesOf(this.shape.nodeCount), words);
    if (!this.#checks) this.#checkRest(crc32(bytes, crc32(this.#file.read(0, SEAL_HEADER_BYTES))));
  }

  /** Returns the number of edges of the columns from `first` up to `end`. */
  edgesOf(first: number, end: number): number {
    const perColumn = this.#tilesOfColumn();
    return this.tiles.subarray(first * perColumn, end * perColumn).reduce((sum, count) => sum + count, 0);
  }

  /**
   * Reads the edges of the columns from `first` up to `end` into the beginning of `words`, and returns their bytes.
   * Verifies them if the file has checksums of tiles.
   */
  readColumns(first: number, end: number, words: Uint32Array): Uint8Array {
    const start = SEAL_HEADER_BYTES + 4 * this.edgesOf(0, first);
    const bytes = new Uint8Array(words.buffer, words.byteOffset, 4 * this.edgesOf(first, end));
    for (let at = 0; at < bytes.length; at += READ_BYTES)
      bytes.set(this.#file.read(start + at, Math.min(READ_BYTES, bytes.length - at)), at);
    const perColumn = this.#tilesOfColumn();
    let at = 0;
    for (let tile = first * perColumn; tile < end * perColumn; tile++) {
      const length = 4 * this.tiles[tile]!;
      this.#checkTile(tile, bytes.subarray(at, at + length), start + at);
      at += length;
    }
    return bytes;
  }

  /** Calls `visit` for every edge, in the order of column, kind and source. */
  forEachEdge(visit: (source: number, target: number, kind: number) => void): void {
    for (let column = 0; column < tileRangesOf(this.shape.nodeCount); column++)
      this.#visitColumn(column, visit);
  }

  /** Returns the nodes that link to `node`, in ascending order within each kind of edge. Reads one column. */
  sourcesOf(node: number): number[] {
    const sources: number[] = [];
    this.#visitColumn((node >>> RANGE_BITS) - this.shape.firstColumn, (source, target) => {
      if (target === node) sources.push(source);
    });
    return sources;
  }

  close(): void {
    this.#file.close();
  }

  #visitColumn(column: number, visit: (source: number, target: number, kind: number) => void): void {
    const { blocks, firstColumn } = this.shape;
    const perColumn = this.#tilesOfColumn();
    const firstTarget = (firstColumn + column) * RANGE_NODES;
    let tile = column * perColumn;
    let position =
      SEAL_HEADER_BYTES + 4 * this.tiles.subarray(0, tile).reduce((sum, count) => sum + count, 0);
    for (const end = tile + perColumn; tile < end; tile++) {
      const bytes = this.#file.read(position, this.tiles[tile]! * 4);
      this.#checkTile(tile, bytes, position);
      position += bytes.length;
      const block = (tile % blocks) * RANGE_NODES;
      const kind = Math.floor(tile / blocks) % this.shape.weights.length;
      for (let at = 0; at < bytes.length; at += 4) {
        const word = bytes.readUInt32LE(at);
        visit(block + (word >>> RANGE_BITS), firstTarget + (word & RANGE_MASK), kind);
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
    const hasPart = this.#version > 2;
    const trailerBytes = GRAPH_TRAILER_BYTES + (hasPart ? GRAPH_PART_BYTES : 0);
    const end = this.#file.size - trailerBytes - CHECKSUM_BYTES;
    const bytes = this.#file.read(end, trailerBytes);
    const kinds = bytes.readUInt32LE(12);
    const weights = Array.from({ length: Math.min(kinds, MAX_WEIGHTS) }, (_, kind) =>
      bytes.readFloatLE(16 + 4 * kind),
    );
    const nodeCount = bytes.readUInt32LE(0);
    const part = hasPart
      ? {
          firstColumn: bytes.readUInt32LE(GRAPH_TRAILER_BYTES),
          blocks: bytes.readUInt32LE(GRAPH_TRAILER_BYTES + 4),
        }
      : wholeGraph(nodeCount);
    const shape = { nodeCount, edgeCount: bytes.readDoubleLE(4), weights, ...part };
    const tileWords = tileRangesOf(nodeCount) * kinds * shape.blocks * (hasChecks ? 2 : 1);
    const expected = SEAL_HEADER_BYTES + 4 * (shape.edgeCount + tileWords + shape.nodeCount);
    if (expected !== end) throw this.#damaged(end, `a trailer at ${expected}`, `one at ${end}`);
    return shape;
  }

  #tileCount(): number {
    return tileRangesOf(this.shape.nodeCount) * this.#tilesOfColumn();
  }

  #tilesOfColumn(): number {
    return this.shape.weights.length * this.shape.blocks;
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
   * Verifies the checksum of the file, from the sizes of the tiles to its end. `before` is the checksum of the
   * earlier bytes that count: the header, and in files of version 1 also the edges.
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
