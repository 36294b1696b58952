/**
 * Serves answer boxes over HTTP: as JSON, as a page, and as a fragment that the script adds to a page of
 * results.
 */

export { answerApiRoutes, answerPageRoutes } from './answer-routes.ts';
export { renderBeside } from './answer-view.ts';
