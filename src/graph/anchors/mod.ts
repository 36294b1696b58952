/**
 * The anchor texts of each document, at most 32. Each host has one vote per text; of the texts of one host at most four
 * are kept, as long as there are texts of other hosts.
 */

export { anchorsName, type LinkedText } from './anchors-format.ts';
export { type AnchorTable, openAnchors } from './anchors-reader.ts';
export { AnchorCollector } from './anchors-writer.ts';
