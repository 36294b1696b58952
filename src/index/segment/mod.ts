/**
 * A segment: an immutable index of some documents in one file, with files for deletes and ranks beside it. It
 * is written in one pass, and opened by reading its tables.
 */

export { DocSet, readDocSet } from './doc-set.ts';
export type { DocumentTable } from './document-table.ts';
export { fieldAt } from './field-ranges.ts';
export { type HostColumns, type HostSignalsOf, readRankColumns, readRanks } from './rank-column.ts';
export { openSegment, SegmentReader } from './segment-reader.ts';
export { SegmentWriter } from './segment-writer.ts';
export { isUnreadable, sideOrNone } from './side-files.ts';
export {
  columnsOf,
  hasLive,
  mergedSegment,
  newSegment,
  type RelativeRank,
  type WritableSegment,
  writeSides,
} from './writable-segment.ts';
