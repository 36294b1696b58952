/**
 * Decides which document a page belongs to: a new one, an alias of a known one, or none. Uses equal content,
 * near duplicates, canonical links, mirrors, soft 404s and parked pages, and stores what it learned in the
 * crawl state.
 */

export { CanonicalClaims } from './canonical-claims.ts';
export { documentOf, otherNames } from './document-aliases.ts';
export { ImportSketches } from './import-sketches.ts';
export { MirrorHosts, type MirrorSubstitute } from './mirror-hosts.ts';
export { MissingPages } from './missing-pages.ts';
export { openSketches, rebuildSketches, SKETCHES_DIRECTORY } from './open-sketches.ts';
export { PageIdentity } from './page-identity.ts';
export { isPreferredUrl } from './preferred-url.ts';
export { duplicateOf, resolveIdentity } from './resolve-identity.ts';
