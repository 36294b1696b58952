/** A feature with a job portal whose postings open, change and close all the time. */

export { planJobPortal } from './portal-sites.ts';
export { type Posting, type PostingSlot, postingAt, postingsBetween } from './postings.ts';
