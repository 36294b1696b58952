/**
 * The change feed: pages that were added, changed and removed since a cursor, read from the journal in a thread of its
 * own. Its cursors are those of exports, too.
 */

export { openChangeFeed } from './change-feed.ts';
export { parseCursor } from './feed-cursor.ts';
