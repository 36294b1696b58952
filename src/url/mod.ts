/** url: what an address is, when two are the same, whose it is, and whether a crawl may enter it. */
export { type CanonicalUrl, canonicalize, MAX_URL_LENGTH, normalizeEscapes } from './canonical.ts';
export { fingerprint, hostOf, localityKey, originOf, pathOf, registrableDomain } from './parts.ts';
export { createScope, type Scope, type ScopeMode } from './scope.ts';
