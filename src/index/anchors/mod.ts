/**
 * Anchor lists: postings of the anchor texts of a segment's documents. They are in a file beside the segment,
 * because every rank run replaces them while the segment never changes.
 */

export { type AnchorTexts, VOTE_UNIT } from './anchor-lists-format.ts';
export { AnchorLists, openAnchorLists } from './anchor-lists-reader.ts';
export { anchorMerged, anchorSegment } from './segment-anchors.ts';
