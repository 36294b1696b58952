/**
 * Duplicate detection: decides whether a page is the same as another page, and finds that page. Covers near
 * duplicates by sketch, plausible canonical links, mirrors, and pages that only say that no such page exists.
 * The recorder handles exact duplicates.
 */

export { CanonicalTargets, isPlausibleCanonical } from './canonical-link.ts';
export { MIRROR_DEFAULTS, type Mirror, MirrorFinder } from './mirrors.ts';
export {
  apologises,
  decodeProbe,
  encodeProbe,
  isSoft404,
  isSoft404Redirect,
  type MissingProbe,
  missingUrl,
  probeOfPage,
} from './missing-page.ts';
export { type NearDuplicateOptions, NearDuplicates } from './near-duplicates.ts';
export { checkSketches } from './near-log.ts';
export { isParked, type ParkedSign, parkedSigns } from './parked.ts';
export { textKey } from './text-key.ts';
