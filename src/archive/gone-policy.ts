/**
 * Decides when a page that its server reports as gone (404 or 410) is removed.
 *
 * A single such response may be a mistake of the server, so a page is removed only after the second in a row.
 * Redirects, pages that are not indexed, and imported documents are removed after the first.
 *
 * The crawl counts the responses as they arrive. Imports and rebuilds count captures in the archive.
 */

const GONE_RESPONSES = 2;

/** Returns true if a page is removed after `goneCount` consecutive responses that say that it is gone. */
export function isRemoved(wasFetchedPage: boolean, goneCount: number): boolean {
  return !wasFetchedPage || goneCount >= GONE_RESPONSES;
}
