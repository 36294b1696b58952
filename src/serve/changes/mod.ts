/** The change feed over HTTP: long poll and server-sent events. */

export type { ChangeBatch, ChangeEvent, ChangeFeed, ChangeRequest } from './change-feed.ts';
export { changesRoutes } from './changes-routes.ts';
