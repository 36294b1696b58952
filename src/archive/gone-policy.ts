/**
 * Decides when a page that its server reports as gone (404 or 410) is removed.
 *
 * A single such response may be a mistake of the server, so a page that was fetched stays until the second such
 * response in a row. Everything else is removed after the first such response: redirects, pages that are not indexed,
 * and imported documents, which no server sent.
 *
 * The crawl counts the responses as they arrive. Imports and rebuilds count captures in the archive.
 */

const GONE_RESPONSES = 2;

/** Returns true if the page is to be removed after `goneCount` responses in a row that say it is gone. */
export function isRemoved(wasFetchedPage: boolean, goneCount: number): boolean {
  return !wasFetchedPage || goneCount >= GONE_RESPONSES;
}
