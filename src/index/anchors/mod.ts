/**
 * Anchor lists: postings of the anchor texts of a segment's documents. They are files beside the segment,
 * because they change with every ranking while the segment does not.
 */

export { type AnchorTexts, VOTE_UNIT } from './anchor-lists-format.ts';
export { AnchorLists, openAnchorLists } from './anchor-lists-reader.ts';
export { anchorMerged, anchorSegment } from './segment-anchors.ts';
