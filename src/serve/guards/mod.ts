/**
 * Guards in front of every route: connection limits, accepted host names, rate limits, the admission queue,
 * API keys and the admin token. Refusals are counted, and logged at most once a minute per reason.
 */

export { type AdminAccess, adminOnly, requesterOf } from './admin-access.ts';
export { guardLoad } from './admission-queue.ts';
export { type AllowedMethods, followRoutes } from './allowed-methods.ts';
export { requireKey } from './api-keys.ts';
export { arrivalOf, noteArrivals } from './arrival.ts';
export { connectionOptions } from './connections.ts';
export { addGuards, type Guards, limitSearches, NO_LIMITS } from './guards.ts';
export { type PrivacyOptions, requirePrivacy, usesTls } from './privacy.ts';
export { RateLimit } from './rate-limit.ts';
export { isLoopbackName, requestOriginOf, requireKnownName } from './site-address.ts';
