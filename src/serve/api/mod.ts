/** The JSON API: search and suggestions, their schemas, and the OpenAPI document made from them. */

export {
  CRAWL_ACTION_SCHEMA,
  CRAWL_ACTIONS,
  CRAWL_SCHEMA,
  FETCH_SCHEMA,
  INSPECT_SCHEMA,
  POLITENESS_SCHEMA,
  RECORD_SCHEMA,
  REMOVAL_CHANGE_SCHEMA,
  REMOVALS_SCHEMA,
  URLS_SCHEMA,
  WACZ_SCHEMA,
} from './admin-schemas.ts';
export { apiRoutes } from './api.ts';
export { ANSWERS_SCHEMA, IMAGES_SCHEMA, PLACE_PROPERTIES } from './api-schemas.ts';
export {
  CLUSTER_ACTION_SCHEMA,
  CLUSTER_ACTIONS,
  CLUSTER_SCHEMA,
  CLUSTER_SETTINGS_SCHEMA,
  DEAD_LETTER_ACTION_SCHEMA,
  DEAD_LETTER_ACTIONS,
  DEAD_LETTERS_SCHEMA,
} from './cluster-schemas.ts';
export { describeRoutes, openApiRoutes } from './openapi.ts';
export { CHANGES_SCHEMA } from './data-schemas.ts';
export { type PageStanding, pagesApiRoutes } from './pages-api.ts';
export { parameterProblem } from './parameter-problem.ts';
export { openSearchSuggestRoutes, suggestApiRoutes } from './suggest-api.ts';
export { suggestRoutes } from './suggest-route.ts';
