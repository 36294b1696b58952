/**
 * Turns ranked matches into a page of results: limits per host, similar pages, site rules, cursors and kinds.
 */

export { encodeCursor } from './cursor.ts';
export {
  type Announced,
  type AnnouncedDays,
  announcedDays,
  datedAs,
  newestFirst,
  withAnnounced,
} from './newest-first.ts';
export { orderByRules } from './order-by-rules.ts';
export { kindsAmong } from './result-kinds.ts';
export { nextCursor, pageOf, readCursor, shownResults } from './results-page.ts';
