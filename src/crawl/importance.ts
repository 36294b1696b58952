/**
 * How important a URL looks before it is fetched: PageRank, in advance and in passing.
 *
 *   standing = 0.15 + what the pages fetched so far have handed on to it, or its rank once one is known
 *   score    = log2(standing) - depth / 4
 *
 * A page that is fetched hands on 85 % of its standing to its links, one to another host getting four times
 * as much as one within the host: a site's links to itself are mostly its menus, another host's link is a
 * choice. A page with many links has little for each, so neither a link farm nor a sitemap can push its
 * pages to the front. Depth breaks ties where links say nothing yet, and keeps the crawl from diving into
 * the first large site. It is OPIC (Abiteboul, Preda, Cobena 2003) with each page's cash handed on once.
 * docs/decisions/0106 has the scores that were tried; `npm run bench:order` draws the curve.
 *
 * What was handed on is kept in a table of fixed size, by fingerprint. Two URLs that share a cell look alike;
 * with eight million cells that blurs an order which is a guess anyway. The table is not kept on disk: after a
 * restart all begin equal again, and ranks, where there are some, stand in.
 */

const CELLS = 1 << 23;
const BASE = 0.15;
const HANDED_ON = 0.85;
const OTHER_HOST_WEIGHT = 4;
const DEPTH_WEIGHT = 0.25;

/** What is looked up once when a URL comes into memory, so that scoring it is an addition. */
export interface Standing {
  /** Where it is kept what was handed on to it. */
  cell: number;
  /** Its rank then or when newer ranks came, relative to the average page; 0 while it is unknown. */
  rank: number;
  depth: number;
}

export class Importance {
  readonly #handedOn = new Float32Array(CELLS);
  #relativeRankOf: (fingerprint: bigint) => number = () => 0;
  #ranksGeneration = 0;

  /** Grows with each set of ranks: what stands by an older one is to be looked up again. */
  get ranksGeneration(): number {
    return this.#ranksGeneration;
  }

  /** A page was fetched and has these links, as fingerprints; their first 16 bits tell its own host from others. */
  handOn(source: bigint, links: BigInt64Array): void {
    const words = new Uint32Array(links.buffer, links.byteOffset, 2 * links.length);
    const host = Number((source >> 48n) & 0xffffn);
    const weightAt = (at: number) => (words[at + 1]! >>> 16 === host ? 1 : OTHER_HOST_WEIGHT);
    let weights = 0;
    for (let at = 0; at < words.length; at += 2) weights += weightAt(at);
    const share = (HANDED_ON * (BASE + this.#handedOn[cellOf(source)]!)) / weights;
    for (let at = 0; at < words.length; at += 2) {
      this.#handedOn[words[at]! & (CELLS - 1)]! += share * weightAt(at);
    }
  }

  /** Ranks relative to the average page, 0 for unknown URLs; a rank run brings better ones than counting. */
  useRanks(relativeRankOf: (fingerprint: bigint) => number): void {
    this.#relativeRankOf = relativeRankOf;
    this.#ranksGeneration++;
  }

  standingOf({ fingerprint, depth }: { fingerprint: bigint; depth: number }): Standing {
    return { cell: cellOf(fingerprint), rank: this.#relativeRankOf(fingerprint), depth };
  }

  /** Of a URL that no page has handed anything on to. */
  scoreAtDepth(depth: number): number {
    return Math.log2(BASE) - DEPTH_WEIGHT * depth;
  }

  score({ cell, rank, depth }: Standing): number {
    return Math.log2(Math.max(BASE + this.#handedOn[cell]!, rank)) - DEPTH_WEIGHT * depth;
  }
}

function cellOf(fingerprint: bigint): number {
  return Number(BigInt.asUintN(32, fingerprint)) & (CELLS - 1);
}
