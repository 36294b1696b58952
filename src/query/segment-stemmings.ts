/** Which documents of a segment a term counts in: those of some languages. Most segments have but one. */
import type { DocId, OpenSegment } from '../index/mod.ts';
import { isAmong, type StemmingSet } from '../text/mod.ts';

/** An open segment never changes. */
const known = new WeakMap<OpenSegment, StemmingSet>();

/** Those of its live documents. */
export function stemmingsIn(segment: OpenSegment): StemmingSet {
  const held = known.get(segment);
  if (held !== undefined) return held;
  let set: StemmingSet = 0;
  for (const [doc, stemming] of segment.reader.table.stemmings.entries()) {
    if (!segment.deletes.has(doc)) set |= 1 << stemming;
  }
  known.set(segment, set);
  return set;
}

/** Whether documents of these stemmings are all that the segment has. */
export function isEvery(segment: OpenSegment, stemmings: StemmingSet): boolean {
  return (stemmingsIn(segment) & ~stemmings) === 0;
}

/** Whether a live document has one of the stemmings; null if all have. */
export function filterOf(segment: OpenSegment, stemmings: StemmingSet): ((doc: DocId) => boolean) | null {
  if (isEvery(segment, stemmings)) return null;
  const { stemmings: stemmingOf } = segment.reader.table;
  return (doc) => isAmong(stemmings, stemmingOf[doc]!);
}
