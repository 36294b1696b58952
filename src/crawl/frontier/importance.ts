/**
 * Estimates the importance of a URL before it is fetched, with an online approximation of PageRank.
 *
 *   standing = 0.15 + the amount that fetched pages have distributed to it, or its rank if that is higher
 *   score    = log2(standing) - depth / 4
 *
 * A fetched page distributes 85 % of its standing over its links. A link to another host gets four times as
 * much as a link within the host: a site's links to itself are mostly menus, a link from another host is a
 * choice. A page with many links gives little to each, so neither a link farm nor a sitemap can push its
 * pages to the front. Depth breaks ties where links say nothing yet, and keeps the crawl from diving into the
 * first large site. This is OPIC (Abiteboul, Preda, Cobena 2003) with each page's cash distributed once.
 *
 * In a crawl with a topic, the estimated relevance of a URL (topics/link-relevance.ts) comes first, and the score above
 * decides between URLs of about the same relevance. Each link to a URL that is known already may raise its relevance.
 *
 * docs/decisions/0014 has the scores that were tried; `npm run bench:order` draws the curve.
 *
 * The distributed amounts are in a table of fixed size, by fingerprint. Two URLs that share a cell have the
 * same amount. With eight million cells this is rare enough, because the order is only an estimate. The table
 * is not on disk: after a restart all URLs start equal again, except those with a known rank.
 */

const CELLS = 1 << 23;
const BASE = 0.15;
const HANDED_ON = 0.85;
const OTHER_HOST_WEIGHT = 4;
const DEPTH_WEIGHT = 0.25;
/** The most important pages count this many times as much as an average page when visits are divided among pages. */
const MAX_RELATIVE = 4;

/** Inputs to the score of a URL, looked up when the URL comes into memory, so that scoring is only an addition. */
export interface Standing {
  /** Index of the table cell with the amount that fetched pages have distributed to the URL. */
  cell: number;
  /** PageRank of the URL relative to the average page, as of the last lookup; 0 while it is unknown. */
  rank: number;
  depth: number;
  /** Stored relevance to the topic of the crawl, from 0 to 255. */
  relevance: number;
}

/** A link of the highest relevance counts this much more than one of the lowest; other scores are between -15 and 10. */
const RELEVANCE_WEIGHT = 60;
/** The relevance of seeds, and of other URLs of which none is known. */
const SEED_RELEVANCE = 255;
const UNKNOWN_RELEVANCE = 96;

export class Importance {
  /** The highest relevance that links have given to the URLs of each cell; null if the crawl has no topic. */
  readonly #relevances: Uint8Array | null;
  readonly #handedOn = new Float32Array(CELLS);
  #relativeRankOf: (fingerprint: bigint) => number = () => 0;
  #ranksGeneration = 0;

  constructor({ isTopical = false } = {}) {
    this.#relevances = isTopical ? new Uint8Array(CELLS) : null;
  }

  /** True if the crawl has a topic. */
  get isTopical(): boolean {
    return this.#relevances !== null;
  }

  /** Reports the estimated relevance of the targets of links. */
  foundRelevant({
    fingerprints,
    relevances,
  }: {
    fingerprints: BigInt64Array;
    relevances?: Uint8Array;
  }): void {
    if (!this.#relevances || !relevances) return;
    for (const [at, relevance] of relevances.entries()) {
      const cell = cellOf(fingerprints[at]!);
      if (relevance > this.#relevances[cell]!) this.#relevances[cell] = relevance;
    }
  }

  /** Number that increases when new ranks are loaded. A `Standing` with an older number must be looked up again. */
  get ranksGeneration(): number {
    return this.#ranksGeneration;
  }

  /**
   * Distributes the importance of a fetched page over its links. A link is the fingerprint of its URL; its first 16
   * bits identify the host.
   */
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

  /**
   * Uses PageRank values relative to the average page, 0 for unknown URLs. They are more accurate than the online
   * estimate.
   */
  useRanks(relativeRankOf: (fingerprint: bigint) => number): void {
    this.#relativeRankOf = relativeRankOf;
    this.#ranksGeneration++;
  }

  /** Returns the importance of a page relative to an average page, for its revisits; 1 while its rank is unknown. */
  relativeImportance(fingerprint: bigint): number {
    const rank = this.#relativeRankOf(fingerprint);
    return rank > 0 ? Math.min(Math.max(Math.sqrt(rank), 1 / MAX_RELATIVE), MAX_RELATIVE) : 1;
  }

  standingOf(url: { fingerprint: bigint; depth: number; relevance?: number }): Standing {
    const { fingerprint, depth } = url;
    const { relevance = depth === 0 ? SEED_RELEVANCE : 0 } = url;
    return { cell: cellOf(fingerprint), rank: this.#relativeRankOf(fingerprint), depth, relevance };
  }

  /** Returns the amount that fetched pages have distributed to a URL in this run. */
  linkedness(fingerprint: bigint): number {
    return this.#handedOn[cellOf(fingerprint)]!;
  }

  /** Returns the score of a URL to which no page has distributed anything. */
  scoreAtDepth(depth: number): number {
    return Math.log2(BASE) - DEPTH_WEIGHT * depth;
  }

  score({ cell, rank, depth, relevance }: Standing): number {
    const score = Math.log2(Math.max(BASE + this.#handedOn[cell]!, rank)) - DEPTH_WEIGHT * depth;
    if (!this.#relevances) return score;
    const known = Math.max(relevance, this.#relevances[cell]!) || UNKNOWN_RELEVANCE;
    return score + (RELEVANCE_WEIGHT * known) / SEED_RELEVANCE;
  }
}

function cellOf(fingerprint: bigint): number {
  return Number(BigInt.asUintN(32, fingerprint)) & (CELLS - 1);
}
