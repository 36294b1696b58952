/** URLs and hosts that people ask the crawl to fetch now, also from another process. */

export { readRequests } from './fetch-requests.ts';
export { followRequests } from './follow-requests.ts';
export { requestFetch, requestHost } from './request-fetch.ts';
export { takeUrls } from './take-urls.ts';
