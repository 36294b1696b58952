/**
 * HTTP functions that several routes use: query parameters, compression, Vary, entity tags and request
 * metrics.
 */

export { contentPolicy } from './content-policy.ts';
export { type Coding, codingOf, compressPage, sendCoded } from './content-encoding.ts';
export { sendTagged } from './entity-tag.ts';
export { acceptOnlyForms, type FormFields, ownForm } from './form-body.ts';
export { type Gauge, RequestMetrics, renderGauges, type SearchTimings } from './metrics.ts';
export {
  LISTING,
  MAX_RESULT_DEPTH,
  noQuery,
  type QueryParameters,
  readAddress,
  readChoice,
  readCursorParameter,
  readLanguage,
  readQueryParameter,
  readRange,
  readSpelling,
  readText,
  readTyped,
  requireQuery,
  wholeNumber,
  withFilters,
} from './search-input.ts';
export { nameRequests, requestIds } from './request-id.ts';
export { varyBy } from './vary-header.ts';
