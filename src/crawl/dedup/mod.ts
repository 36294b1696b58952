/**
 * dedup: is this page another one, and which? Near duplicates by sketch, canonical links when they are
 * plausible, mirrors, and pages that only say that there is none. Exact duplicates are the recorder's.
 */
export {
  type CanonicalEvidence,
  CanonicalTargets,
  type CanonicalVerdict,
  judgeCanonical,
  NOTHING_KNOWN,
  plausibleCanonical,
} from './canonical-link.ts';
export { contentRanges } from './content-ranges.ts';
export { MIRROR_DEFAULTS, type Mirror, MirrorFinder, type MirrorOptions } from './mirrors.ts';
export {
  apologises,
  decodeProbe,
  encodeProbe,
  isSoft404,
  isSoft404Redirect,
  type MissingProbe,
  missingUrl,
  probeOfPage,
  type Shown,
} from './missing-page.ts';
export {
  NEAR_DUPLICATE_DEFAULTS,
  type NearDuplicate,
  type NearDuplicateOptions,
  NearDuplicates,
} from './near-duplicates.ts';
export { isParked, type ParkedSign, parkedSigns } from './parked.ts';
export { type Sketch, simhashDistance, similarity, sketchOf } from './sketch.ts';
export { textKey } from './text-key.ts';
