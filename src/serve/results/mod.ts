/**
 * The results page and its parts, feeds of results, and the explanation of a score. All content from foreign
 * pages is escaped.
 */

export { noteText } from './note-words.ts';
export {
  LISTING,
  noQuery,
  type QueryParameters,
  readAddress,
  readCursorParameter,
  readQueryParameter,
  readRange,
  readSpelling,
  readText,
  readTyped,
  requireQuery,
} from './search-input.ts';
export { addSearchRoutes } from './search-routes.ts';
export { plain, shorten } from './shown-text.ts';
