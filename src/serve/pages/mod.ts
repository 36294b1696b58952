/**
 * Serves pages that need no search: start page, help, the page for site owners, OpenSearch and robots.txt.
 */

export { discoveryRoutes } from './discovery.ts';
export { renderBang, renderElsewhere } from './elsewhere.ts';
export { helpRoutes } from './help-page.ts';
export { renderStart, startRoutes } from './start-page.ts';
