/**
 * index: finds the documents that have a term, the term's positions in them, and their stored contents. An
 * index is a directory of immutable segments and a manifest of the live ones. A term look-up reads one
 * dictionary block of 32 terms and one list of postings.
 */

export { VOTE_UNIT } from './anchors/mod.ts';
export type { TermEntry } from './dictionary/mod.ts';
export {
  type DocId,
  type FieldRange,
  type Heading,
  type IndexDocument,
  type StoredDocument,
  type StoredImage,
  urlLanguageOf,
} from './document.ts';
export {
  DocumentKind,
  collectionsOf,
  documentType,
  FAMILY_LEVELS,
  type FamilyLevel,
  formatNamed,
  formatOf,
  isAuxiliaryType,
  isHiddenType,
  isOfFormat,
  kindOf,
  type Rating,
} from './document-type.ts';
export { exportCiff } from './export/mod.ts';
export { FIELD_WEIGHTS, Field, FREQUENCY_UNIT, fieldFormOf, fieldOf, positionOf } from './fields.ts';
export type { FamilyRule, ShownDocuments } from './hidden-documents.ts';
export { IndexReader } from './index-reader.ts';
export { summarizeIndex } from './index-summary.ts';
export { IndexWriter } from './index-writer.ts';
export { SegmentBuffer, WordGatherer } from './indexing/mod.ts';
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
} from './kernels/mod.ts';
export { readLiveRanks } from './live-ranks.ts';
export {
  EMPTY_MANIFEST,
  filesOf,
  isManifestReadable,
  type Manifest,
  parseIndexManifest,
  readManifest,
  type SegmentEntry,
  type VersionsEntry,
  writeManifest,
} from './manifest.ts';
export { type ManifestStore, openManifestStore } from './manifest-store.ts';
export { type MergeLexicons, type MergeOutcome, type MergePlan, runMerge, TimeSlice } from './merging/mod.ts';
export type { OpenSegment } from './open-segment.ts';
export {
  frequenciesIn,
  NO_MORE_DOCS,
  type PostingsCursor,
  type PlacesInDocuments,
  placesIn,
  ResidentLists,
  type ResidentSegment,
  type TermLists,
  type TermPlaces,
  type WantedList,
} from './postings/mod.ts';
export { CachedSegments, CacheSpace } from './segment-cache.ts';
export {
  type DocSet,
  type HostSignalsOf,
  type RelativeRank,
  type SegmentReader,
  sideOrNone,
} from './segment/mod.ts';
export {
  areNearDuplicates,
  contentSimilarity,
  copySignature,
  headlineAt,
  SIGNATURE_NUMBERS,
  type Signature,
  signatureAt,
} from './signature.ts';
export { decodeRecord } from './stored/mod.ts';
export { stampOf } from './vectors/mod.ts';
