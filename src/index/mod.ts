/**
 * index: which documents have a term, where in them, and what was stored of each.
 *
 * An index is a directory of immutable segments and a manifest that says which of them are live. A
 * look-up costs one read of 32 terms and one of the postings; see segment-format.ts.
 */
export { type AnchorText, type AnchorTexts, textWeight, VOTE_UNIT } from './anchor-lists-format.ts';
export type { AnchorLists } from './anchor-lists-reader.ts';
export { Breather } from './breather.ts';
export { frequenciesIn, placesIn, type TermPlaces } from './chosen-documents.ts';
export { exportCiff } from './ciff.ts';
export type { TermEntry, TermForm } from './dictionary-format.ts';
export type { DocId, Heading, IndexDocument, StoredDocument, Stretch } from './document.ts';
export { DocumentKind, documentType, formatNamed, formatOf, isOfFormat, kindOf } from './document-type.ts';
export { Field, FREQUENCY_UNIT, fieldOf, formOf, positionOf } from './fields.ts';
export { IndexReader } from './index-reader.ts';
export type { NearWordCount, WordCount } from './index-words.ts';
export { IndexWriter, type IndexWriterOptions } from './index-writer.ts';
export { isManifestReadable, readManifest } from './manifest.ts';
export type { OpenSegment } from './open-segment.ts';
export { NO_MORE_DOCS } from './postings-format.ts';
export type { PostingsCursor } from './postings-reader.ts';
export type { HostSignals, HostSignalsOf } from './rank-column.ts';
export { ResidentLists, type ResidentSegment, type Scoring, type WantedList } from './resident-lists.ts';
export { type MergeOutcome, type MergePlan, runMerge } from './run-merge.ts';
export {
  ALL_FORMS,
  DOCS_PER_SEARCH,
  type ListRange,
  MAX_KERNEL_FORMS,
  MAX_KERNEL_LISTS,
  MAX_KERNEL_MATCHES,
  MAX_KERNEL_SLOTS,
  type PhraseSlot,
  type SearchKernel,
} from './search-kernel.ts';
export { SegmentBuffer } from './segment-buffer.ts';
export type { TermLists } from './term-lists.ts';
export type { RelativeRank } from './writable-segment.ts';
