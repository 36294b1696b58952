/**
 * How important a URL looks before it is fetched: the more links to it have been seen and the nearer it
 * is to a seed, the earlier it is worth a visit.
 *
 *   score = log2(1 + links seen, or rank) - depth
 *
 * Links foretell PageRank; depth keeps the order breadth-first where links say nothing yet. Counting
 * links alone dives into the first large site; handing on cash along links (OPIC) was no better in
 * `npm run bench:order` and forgets less well.
 *
 * Counts are kept in a table of fixed size, by fingerprint. Two URLs that share a cell look alike; with
 * a million cells that blurs an order which is a guess anyway. The table is not kept on disk: after a
 * restart the counts begin again.
 */

const CELLS = 1 << 20;
const MAX_COUNT = 0xffff;

export class Importance {
  readonly #counts = new Uint16Array(CELLS);
  #relativeRankOf: (fingerprint: bigint) => number = () => 0;

  /** A page with these links was fetched. */
  countLinks(fingerprints: Iterable<bigint>): void {
    for (const fingerprint of fingerprints) {
      const cell = cellOf(fingerprint);
      if (this.#counts[cell]! < MAX_COUNT) this.#counts[cell]!++;
    }
  }

  /** Ranks relative to the average page, 0 for unknown URLs; a rank run brings better ones than counting. */
  useRanks(relativeRankOf: (fingerprint: bigint) => number): void {
    this.#relativeRankOf = relativeRankOf;
  }

  score({ fingerprint, depth }: { fingerprint: bigint; depth: number }): number {
    const known = Math.max(this.#counts[cellOf(fingerprint)]!, this.#relativeRankOf(fingerprint));
    return Math.log2(1 + known) - depth;
  }
}

function cellOf(fingerprint: bigint): number {
  return Number(BigInt.asUintN(32, fingerprint)) & (CELLS - 1);
}
