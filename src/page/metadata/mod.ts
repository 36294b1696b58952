/**
 * Reads the metadata that a page declares for machines: robots directives, dates, schema.org, Open Graph,
 * icons and Link headers.
 */

export { findStatedDates, firstDate, parseDate } from './dates.ts';
export { chooseIcon, MAX_ICONS, NO_ICON, type RawIcon } from './declared-icon.ts';
export { MAX_ID, MAX_JSON_LD, readJsonLd } from './json-ld.ts';
export { parseLinkHeader } from './link-header.ts';
export { MAX_ICON_BYTES, pictureType } from './picture-type.ts';
export { ratingIn } from './rating.ts';
export {
  allowAll,
  applyRobotsHeader,
  applyRobotsMeta,
  isListed,
  mayBeFound,
  mayBeTold,
} from './robots-directives.ts';
export { firstValue, MAX_NESTING, StructuredData } from './structured-data.ts';
