/**
 * Which segments to merge next.
 *
 * Segments are sorted into tiers by their live documents, each tier eight times the one below. A
 * tier with eight segments becomes one segment of the next tier, so a document is rewritten about
 * once per tier, and an index of a million documents has at most some thirty segments. A segment that
 * is deleted by more than half is rewritten alone, to give the space back.
 */
export const MERGE_FACTOR = 8;

/** Everything smaller is one tier. */
const SMALLEST_TIER_DOCS = 512;

export interface SegmentSize {
  liveDocs: number;
  deletedDocs: number;
}

/** The indexes of the segments to merge into one; empty when none is due. */
export function chooseMerge(sizes: readonly SegmentSize[]): number[] {
  const tiers = new Map<number, number[]>();
  for (const [index, { liveDocs }] of sizes.entries()) {
    const tier = tierOf(liveDocs);
    tiers.set(tier, [...(tiers.get(tier) ?? []), index]);
  }
  for (const [, members] of [...tiers].sort((a, b) => a[0] - b[0])) {
    if (members.length >= MERGE_FACTOR) return members;
  }
  const wasted = sizes.findIndex(({ liveDocs, deletedDocs }) => deletedDocs > liveDocs);
  return wasted < 0 ? [] : [wasted];
}

function tierOf(docs: number): number {
  let tier = 0;
  for (let limit = SMALLEST_TIER_DOCS; docs >= limit; limit *= MERGE_FACTOR) tier++;
  return tier;
}
