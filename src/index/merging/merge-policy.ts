/**
 * Chooses the segments to merge next.
 *
 * Segments are sorted into tiers by their number of live documents; each tier is eight times as large as the
 * one below. Eight segments of a tier become one segment of the next tier, so a document is rewritten about
 * once per tier, and an index of a million documents has at most about thirty segments. A merge never has
 * more than eight inputs, even if many segments are waiting, because the tables of all inputs are in memory.
 * A segment of which more than half is deleted is rewritten alone, to free its space.
 */
const MERGE_FACTOR = 8;

/** Segments with fewer live documents than this are all in the lowest tier. */
const SMALLEST_TIER_DOCS = 512;

interface SegmentSize {
  liveDocs: number;
  deletedDocs: number;
}

/** Returns the indexes of the segments to merge into one; empty if no merge is due. */
export function chooseMerge(sizes: readonly SegmentSize[]): number[] {
  const tiers = new Map<number, number[]>();
  for (const [index, { liveDocs }] of sizes.entries()) {
    const tier = tierOf(liveDocs);
    tiers.set(tier, [...(tiers.get(tier) ?? []), index]);
  }
  for (const [, members] of [...tiers].sort((a, b) => a[0] - b[0])) {
    if (members.length >= MERGE_FACTOR) return members.slice(0, MERGE_FACTOR);
  }
  const wasted = sizes.findIndex(({ liveDocs, deletedDocs }) => deletedDocs > liveDocs);
  return wasted < 0 ? [] : [wasted];
}

function tierOf(docs: number): number {
  let tier = 0;
  for (let limit = SMALLEST_TIER_DOCS; docs >= limit; limit *= MERGE_FACTOR) tier++;
  return tier;
}
