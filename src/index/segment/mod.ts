/**
 * A segment: an immutable index of some documents in one file, with files for deletes and ranks beside it. It
 * is written in one pass, and opened by reading its tables.
 */

export { DocSet } from './doc-set.ts';
export type { DocumentTable } from './document-table.ts';
export { fieldAt } from './field-ranges.ts';
export { closeEntry, isUnreadable, type OpenSegment, openEntry, sideOrNone } from './open-segment.ts';
export type { HostSignalsOf } from './rank-column.ts';
export { SegmentBuffer } from './segment-buffer.ts';
export { openSegment, SegmentReader } from './segment-reader.ts';
export { SegmentWriter } from './segment-writer.ts';
export {
  columnsOf,
  hasLive,
  mergedSegment,
  newSegment,
  type RelativeRank,
  type WritableSegment,
  writeSides,
} from './writable-segment.ts';
