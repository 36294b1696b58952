/**
 * Finds the documents of a segment in which a term is valid. A term was stemmed by the rules of certain
 * languages, so it matches only documents in these languages. Most segments have documents of one language
 * only.
 */
import type { DocId, OpenSegment } from '../../index/mod.ts';
import { isAmong, type StemmingSet } from '../../text/mod.ts';

/** The stemmings of each open segment. The cached value stays valid because an open segment never changes. */
const known = new WeakMap<OpenSegment, StemmingSet>();
/** The filters that were made for each open segment, so that their compiled code is kept. */
const filters = new WeakMap<OpenSegment, Map<StemmingSet, (doc: DocId) => boolean>>();

/** Returns the stemmings of the segment's live documents. */
function stemmingsIn(segment: OpenSegment): StemmingSet {
  const held = known.get(segment);
  if (held !== undefined) return held;
  let set: StemmingSet = 0;
  for (const [doc, stemming] of segment.reader.table.stemmings.entries()) {
    if (!segment.deletes.has(doc)) set |= 1 << stemming;
  }
  known.set(segment, set);
  return set;
}

/** Returns true if all live documents of the segment have one of these stemmings. */
export function isEvery(segment: OpenSegment, stemmings: StemmingSet): boolean {
  return (stemmingsIn(segment) & ~stemmings) === 0;
}

/** Returns a function that tells if a live document has one of the stemmings; null if all live documents have. */
export function filterOf(segment: OpenSegment, stemmings: StemmingSet): ((doc: DocId) => boolean) | null {
  if (isEvery(segment, stemmings)) return null;
  const own = filters.get(segment) ?? new Map<StemmingSet, (doc: DocId) => boolean>();
  filters.set(segment, own);
  const { stemmings: stemmingOf } = segment.reader.table;
  const filter = own.get(stemmings) ?? ((doc: DocId) => isAmong(stemmings, stemmingOf[doc]!));
  own.set(stemmings, filter);
  return filter;
}
