/**
 * Decides when a new ranking is due. A ranking costs time for the whole graph. While new pages keep arriving,
 * rankings become rarer as the graph grows, so their total cost stays proportional to the number of pages. When
 * no more pages arrive, one last ranking covers all of them.
 */

/** A ranking is due when its input has grown by this factor, or has changed and then stayed the same for QUIET_MS. */
const GROWTH = 1.2;
const QUIET_MS = 2_000;

interface RankingInput {
  /** The number of documents or records now, and when the last ranking began. */
  size: number;
  rankedSize: number;
  /** The time since the last change. */
  unchangedMs: number;
}

/** Returns true if a ranking is due. The caller checks that its input has changed since the last ranking. */
export function isRankingDue({ size, rankedSize, unchangedMs }: RankingInput): boolean {
  return size > 0 && (size > rankedSize * GROWTH || unchangedMs > QUIET_MS);
}
