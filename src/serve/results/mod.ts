/**
 * Serves the results page, feeds of results, and the explanation of a score. All content from foreign pages
 * is escaped.
 */

export { explainRoutes } from './explain-page.ts';
export { imageApiRoutes } from './image-api.ts';
export { feedRoutes } from './result-feeds.ts';
export { searchRoutes } from './search-page.ts';
