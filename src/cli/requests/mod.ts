/** The URLs that people ask the crawl to fetch now, also from another process. */

export { readRequests } from './requested-urls.ts';
export { requestFetch } from './request-fetch.ts';
export { followRequests } from './follow-requests.ts';
