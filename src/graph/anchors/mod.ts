/**
 * Keeps at most 32 anchor texts for each document. Each host has one vote per text. At most four texts of one
 * host are kept while there are texts of other hosts.
 */

export { voteWeight } from './anchor-votes.ts';
export { anchorsName, type LinkedText } from './anchors-format.ts';
export { type AnchorTable, openAnchors } from './anchors-reader.ts';
export { AnchorCollector } from './anchors-writer.ts';
export { NewTexts } from './new-texts.ts';
