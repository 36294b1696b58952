/** Reads rank files; ranks-format.ts describes the bytes. */
import { ByteReader, CorruptError, type Directory, readSealed, systemCode } from '../base/mod.ts';
import { findFingerprint } from './fingerprint-order.ts';
import { RANKS_HEADER_BYTES, RANKS_KIND, ranksGenerations, ranksName } from './ranks-format.ts';
import { RanksOnDisk } from './ranks-on-disk.ts';

export interface RankTable {
  readonly generation: number;
  readonly count: number;
  /** Returns the rank of the URL with the given fingerprint; 0 if it is unknown. */
  rankOf(fingerprint: bigint): number;
  /** Returns the rank of a URL divided by the mean rank of all documents: 1 for an average document. */
  relativeRankOf(fingerprint: bigint): number;
}

export interface NodeRankTable extends RankTable {
  /** Returns the node of a URL in the graph file of the same generation; -1 if the URL is unknown. */
  nodeOf(fingerprint: bigint): number;
  /**
   * Returns true if the document of a URL was crawled, not only linked to. Files before version 3 do not
   * store this, and the result is true for every known URL.
   */
  isCrawled(fingerprint: bigint): boolean;
  close(): void;
}

const ATTEMPTS = 3;

/** Returns the generation number of the newest ranks without reading them; 0 if there are none yet. */
export function newestRanks(directory: Directory): number {
  return ranksGenerations(directory).at(-1) ?? 0;
}

/**
 * Opens the newest ranks. Returns null if there are none yet. A file of more than `residentBytes` bytes is read
 * from disk at each look-up; the caller must close it.
 */
export function openRanks(
  directory: Directory,
  residentBytes = Number.POSITIVE_INFINITY,
): NodeRankTable | null {
  for (let attempt = 1; ; attempt++) {
    const generation = ranksGenerations(directory).at(-1);
    if (generation === undefined) return null;
    try {
      const name = ranksName(generation);
      if (directory.sizeOf(name) > residentBytes) return openOnDisk(directory, name);
      return new SortedRanks(readSealed(directory, name, RANKS_KIND), name);
    } catch (error) {
      // A newer ranking may have removed this file since the directory was listed. Tries again with the newer
      // files.
      if (systemCode(error) !== 'ENOENT' || attempt === ATTEMPTS) throw error;
    }
  }
}

function openOnDisk(directory: Directory, name: string): NodeRankTable {
  const file = directory.open(name);
  try {
    return new RanksOnDisk(file);
  } catch (error) {
    file.close();
    throw error;
  }
}

class SortedRanks implements NodeRankTable {
  readonly generation: number;
  readonly count: number;
  /** The fingerprints of all URLs as 32-bit numbers: the low half and then the high half of each. */
  readonly #halves: Uint32Array;
  readonly #ranks: Float32Array;
  /** The node of each URL; empty in files of version 1. */
  readonly #nodes: Uint32Array;
  readonly #nodeCount: number;
  /** 1 for each URL whose document was crawled; empty in files before version 3. */
  readonly #crawled: Uint8Array;

  constructor(body: Buffer, name: string) {
    const reader = new ByteReader(body, name);
    this.generation = reader.u32();
    this.count = reader.u32();
    const columnsBytes = body.length - RANKS_HEADER_BYTES;
    const hasCrawled = columnsBytes === this.count * 17;
    const hasNodes = hasCrawled || columnsBytes === this.count * 16;
    if (!hasNodes && columnsBytes !== this.count * 12) {
      const expected = RANKS_HEADER_BYTES + this.count * 17;
      throw new CorruptError(name, body.length, `${expected} bytes`, `${body.length}`);
    }
    this.#halves = new Uint32Array(this.count * 2);
    this.#ranks = new Float32Array(this.count);
    this.#nodes = new Uint32Array(hasNodes ? this.count : 0);
    Buffer.from(this.#halves.buffer).set(reader.raw(this.count * 8));
    Buffer.from(this.#ranks.buffer).set(reader.raw(this.count * 4));
    Buffer.from(this.#nodes.buffer).set(reader.raw(this.#nodes.byteLength));
    this.#crawled = Uint8Array.from(reader.raw(hasCrawled ? this.count : 0));
    this.#nodeCount = hasNodes ? this.#nodes.reduce((most, node) => Math.max(most, node + 1), 0) : this.count;
  }

  rankOf(fingerprint: bigint): number {
    const at = findFingerprint(this.#halves, fingerprint);
    return at < 0 ? 0 : this.#ranks[at]!;
  }

  relativeRankOf(fingerprint: bigint): number {
    return this.rankOf(fingerprint) * this.#nodeCount;
  }

  nodeOf(fingerprint: bigint): number {
    const at = findFingerprint(this.#halves, fingerprint);
    return at < 0 ? -1 : (this.#nodes[at] ?? -1);
  }

  isCrawled(fingerprint: bigint): boolean {
    const at = findFingerprint(this.#halves, fingerprint);
    return at >= 0 && (this.#crawled[at] ?? 1) === 1;
  }

  close(): void {}
}
