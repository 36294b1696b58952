/** Reads rank files; see ranks-format.ts for the bytes. */
import { ByteReader, CorruptError, type Directory, readSealed, systemCode } from '../base/mod.ts';
import { RANKS_HEADER_BYTES, RANKS_KIND, ranksGenerations, ranksName } from './ranks-format.ts';

export interface RankTable {
  readonly generation: number;
  /** How many URLs have a rank. */
  readonly count: number;
  /** The rank of the URL with this fingerprint; 0 if it is unknown. */
  rankOf(fingerprint: bigint): number;
}

const ATTEMPTS = 3;

/** The newest ranks, or null if there are none yet. */
export function openRanks(directory: Directory): RankTable | null {
  for (let attempt = 1; ; attempt++) {
    const generation = ranksGenerations(directory).at(-1);
    if (generation === undefined) return null;
    try {
      const name = ranksName(generation);
      return new SortedRanks(readSealed(directory, name, RANKS_KIND), name);
    } catch (error) {
      // Newer ranks may have replaced this file since the directory was listed.
      if (systemCode(error) !== 'ENOENT' || attempt === ATTEMPTS) throw error;
    }
  }
}

class SortedRanks implements RankTable {
  readonly generation: number;
  readonly count: number;
  /** Fingerprints in halves, low before high: compared as numbers, as a bigint would be made for each look. */
  readonly #halves: Uint32Array;
  readonly #ranks: Float32Array;

  constructor(body: Buffer, name: string) {
    const reader = new ByteReader(body, name);
    this.generation = reader.u32();
    this.count = reader.u32();
    const expected = RANKS_HEADER_BYTES + this.count * 12;
    if (body.length !== expected)
      throw new CorruptError(name, body.length, `${expected} bytes`, `${body.length}`);
    this.#halves = new Uint32Array(this.count * 2);
    this.#ranks = new Float32Array(this.count);
    Buffer.from(this.#halves.buffer).set(reader.raw(this.count * 8));
    Buffer.from(this.#ranks.buffer).set(reader.raw(this.count * 4));
  }

  rankOf(fingerprint: bigint): number {
    const low = Number(BigInt.asUintN(32, fingerprint));
    const high = Number(BigInt.asUintN(32, fingerprint >> 32n));
    let from = 0;
    let to = this.count;
    while (from < to) {
      const middle = (from + to) >>> 1;
      const middleHigh = this.#halves[2 * middle + 1]!;
      const isBelow = middleHigh === high ? this.#halves[2 * middle]! < low : middleHigh < high;
      if (isBelow) from = middle + 1;
      else to = middle;
    }
    const isFound = this.#halves[2 * from] === low && this.#halves[2 * from + 1] === high;
    return isFound ? this.#ranks[from]! : 0;
  }
}
