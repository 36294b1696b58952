/**
 * page: converts bytes to a `Page`: title, text with marks, links, metadata and directives. Broken input never
 * throws, never loops, and never costs more than the work budget of its document.
 */

export {
  COLLECTION_AREAS,
  type CollectionArea,
  type CollectionSeed,
  readCollectionName,
} from './collections.ts';
export { decodeBody, decodeBodyAside } from './content-coding.ts';
export { inertCopy, markedText } from './copies/mod.ts';
export type { DocumentFault } from './document-fault.ts';
export { type Extractor, loadExtractors, logReadingNotes, noteBrokenRules } from './extractors/mod.ts';
export {
  type FeedEntry,
  mayBeZippedSitemap,
  parseSitemap,
  readFeedEntries,
} from './formats/mod.ts';
export { type InfoboxRow, isNavigationLine, readInfobox } from './html/mod.ts';
export {
  interpretResponse,
  isGoneStatus,
  type ResponseMeaning,
} from './interpret-response.ts';
export { isShortened, MAX_DESCRIPTION, MAX_LINK_TEXT, MAX_LINKS, MAX_TITLE } from './limits.ts';
export {
  isListed,
  MAX_ICON_BYTES,
  mayBeFound,
  mayBeTold,
  NO_ICON,
  parseDate,
  pictureType,
} from './metadata/mod.ts';
export { headingLevel, type Link, MarkKind, type Page, type Range, type RobotsDirectives } from './page.ts';
export type { PageInput } from './page-input.ts';
export { mayBePage, type ParseOptions, parsePage, parsePageOrFault } from './parse-page.ts';
export { openReading, type ReadingPlan } from './reading-plan.ts';
export {
  type FactValue,
  fieldsOfType,
  identitiesOf,
  type RecordIdentity,
  type TypedRecord,
  typedRecords,
} from './records/mod.ts';
export { RuleFiles } from './rules/mod.ts';
export { cut, eachLine, foldSpace, subjectRange, titleParts } from './text/mod.ts';
export { translationKeyOf } from './translation-key.ts';
export { urlFitOf } from './url-fit.ts';
