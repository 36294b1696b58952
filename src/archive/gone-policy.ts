/**
 * Decides when a page that its server reports as gone is removed: by 404 or 410 or, in a crawl, by a soft 404.
 *
 * A single such response may be a mistake of the server, so a page is removed only after the second in a row. The same
 * holds for an imported document whose URL is fetched. Redirects and pages that are not indexed are removed after the
 * first.
 *
 * The crawl counts the responses as they arrive. Imports and rebuilds count captures in the archive.
 */

const GONE_RESPONSES = 2;

/** Returns true if a page is removed after `goneCount` consecutive responses that say that it is gone. */
export function isRemoved(wasDocument: boolean, goneCount: number): boolean {
  return !wasDocument || goneCount >= GONE_RESPONSES;
}
