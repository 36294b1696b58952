/**
 * The anchor texts of each document, at most 32. Each host has one vote per text; the texts of one host get
 * four places until the texts of other hosts have theirs.
 */

export { anchorsName, type LinkedText } from './anchors-format.ts';
export { type AnchorTable, openAnchors } from './anchors-reader.ts';
export { AnchorCollector } from './anchors-writer.ts';
