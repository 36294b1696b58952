/**
 * standing: saved queries, and the new and changed pages that match them. A page is found when the index has it, and is
 * stored with a stable id until feeds, digests and webhooks have delivered it. The cost depends on the number of new
 * pages, not on the size of the index. Pages of the web interface and the command line are elsewhere.
 */

export { findNewPages, matchRequest } from './find-pages.ts';
export { type PostMessage, type SendOptions, sendMessages, sendTest } from './send-messages.ts';
export { checkNew, checkQuery, type NewStandingQuery } from './standing-query.ts';
export { checkStanding, copyStanding, hasStanding } from './standing-schema.ts';
export { type StandingQuery, StandingStore, withStore } from './standing-store.ts';
export { newSecret, publicPage } from './webhook-message.ts';
