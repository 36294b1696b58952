/** The URLs that people ask the crawl to fetch now, also from another process. */

export { requestFetch } from './request-fetch.ts';
export { followRequests } from './follow-requests.ts';
