/**
 * Guards in front of every route: connection limits, accepted host names, rate limits, the admission queue,
 * API keys and the admin token. Refusals are counted, and logged at most once a minute per reason.
 */

export { type AdminAccess, adminOnly } from './admin-access.ts';
export { guardLoad } from './admission-queue.ts';
export { type AllowedMethods, followRoutes } from './allowed-methods.ts';
export { requireKey } from './api-keys.ts';
export { arrivalOf, noteArrivals } from './arrival.ts';
export { connectionOptions } from './connections.ts';
export { addGuards, type Guards, limitSearches, NO_LIMITS } from './guards.ts';
export { isLoopbackName, requestOriginOf } from './site-address.ts';
