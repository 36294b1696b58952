/**
 * Metadata that a page declares for machines: robots directives, dates, schema.org, Open Graph, infoboxes,
 * icons and Link headers.
 */

export { firstDate, parseDate } from './dates.ts';
export { chooseIcon, MAX_ICONS, NO_ICON, type RawIcon } from './declared-icon.ts';
export { type InfoboxRow, readInfobox } from './infobox.ts';
export { MAX_JSON_LD, readJsonLd } from './json-ld.ts';
export { parseLinkHeader } from './link-header.ts';
export { Microdata } from './microdata.ts';
export { MAX_ICON_BYTES, pictureType } from './picture-type.ts';
export { allowAll, applyRobotsHeader, applyRobotsMeta, isListed, mayBeFound } from './robots-directives.ts';
export { firstValue, StructuredData } from './structured-data.ts';
