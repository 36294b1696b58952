/**
 * Reads a rank file (ranks-format.ts) that is too large for memory. The fingerprints are sorted and begin with
 * bits of the host, so the fingerprints of one host are adjacent. The memory holds the first fingerprint of
 * each block of 512, and the blocks that were used last. The links of a page mostly need the blocks of one
 * host.
 */
import { BoundedCache, CorruptError, checkSealed, type RandomFile, SEAL_HEADER_BYTES } from '../base/mod.ts';
import { findFingerprint, firstAbove } from './fingerprint-order.ts';
import { RANKS_HEADER_BYTES, RANKS_KIND } from './ranks-format.ts';
import type { NodeRankTable } from './ranks-reader.ts';

const BLOCK = 512;
/** The maximum number of blocks in the cache. A block takes at most 4 KiB. */
const MAX_BLOCKS = 1024;
const COLUMNS_AT = SEAL_HEADER_BYTES + RANKS_HEADER_BYTES;
const ROW_BYTES = 17;

export class RanksOnDisk implements NodeRankTable {
  readonly generation: number;
  readonly count: number;
  readonly #file: RandomFile;
  /** The first fingerprint of each block of 512, as two 32-bit halves, the low half first. */
  readonly #first: Uint32Array;
  readonly #nodeCount: number;
  /** The cached blocks. The key is the offset of the block in the file. */
  readonly #blocks = BoundedCache.ofEntries<number, Buffer>(MAX_BLOCKS);

  /**
   * Takes over the open file and closes it with this table. Reads the whole file once to verify it; throws a
   * `CorruptError` if it is damaged or of an older version.
   */
  constructor(file: RandomFile) {
    checkSealed(file, RANKS_KIND);
    const header = file.read(SEAL_HEADER_BYTES, RANKS_HEADER_BYTES);
    this.#file = file;
    this.generation = header.readUInt32LE(0);
    this.count = header.readUInt32LE(4);
    const expected = COLUMNS_AT + ROW_BYTES * this.count + 4;
    if (file.size !== expected)
      throw new CorruptError(file.name, file.size, `${expected} bytes`, `${file.size}`);
    this.#first = new Uint32Array(2 * Math.ceil(this.count / BLOCK));
    let nodeCount = 0;
    for (let at = 0; at < this.count; at += BLOCK) {
      const first = file.read(COLUMNS_AT + 8 * at, 8);
      this.#first[(2 * at) / BLOCK] = first.readUInt32LE(0);
      this.#first[(2 * at) / BLOCK + 1] = first.readUInt32LE(4);
      const rows = Math.min(BLOCK, this.count - at);
      const nodes = file.read(this.#nodesAt + 4 * at, 4 * rows);
      for (let row = 0; row < rows; row++) nodeCount = Math.max(nodeCount, nodes.readUInt32LE(4 * row) + 1);
    }
    this.#nodeCount = nodeCount;
  }

  rankOf(fingerprint: bigint): number {
    const at = this.#find(fingerprint);
    return at < 0 ? 0 : this.#block(COLUMNS_AT + 8 * this.count, 4, at).readFloatLE(4 * (at % BLOCK));
  }

  relativeRankOf(fingerprint: bigint): number {
    return this.rankOf(fingerprint) * this.#nodeCount;
  }

  nodeOf(fingerprint: bigint): number {
    const at = this.#find(fingerprint);
    return at < 0 ? -1 : this.#block(this.#nodesAt, 4, at).readUInt32LE(4 * (at % BLOCK));
  }

  isCrawled(fingerprint: bigint): boolean {
    const at = this.#find(fingerprint);
    return at >= 0 && this.#block(this.#nodesAt + 4 * this.count, 1, at)[at % BLOCK] === 1;
  }

  close(): void {
    this.#file.close();
  }

  get #nodesAt(): number {
    return COLUMNS_AT + 12 * this.count;
  }

  #find(fingerprint: bigint): number {
    const block = firstAbove(this.#first, fingerprint) - 1;
    if (block < 0) return -1;
    const keys = this.#block(COLUMNS_AT, 8, block * BLOCK);
    const at = findFingerprint(new Uint32Array(keys.buffer, keys.byteOffset, keys.length / 4), fingerprint);
    return at < 0 ? -1 : block * BLOCK + at;
  }

  /**
   * Returns the block of a column that contains the row number `at`. `width` is the size of a value in bytes.
   */
  #block(columnAt: number, width: number, at: number): Buffer {
    const first = at - (at % BLOCK);
    const offset = columnAt + width * first;
    const bytes = width * Math.min(BLOCK, this.count - first);
    return this.#blocks.remember(offset, () => this.#file.read(offset, bytes, Buffer.alloc(bytes)));
  }
}
