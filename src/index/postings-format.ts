/**
 * The postings of one term, in blocks, with the documents in ascending order:
 *
 *   count           u8       1..128; only the last block of a list is shorter than 128
 *   span            varint   from the last document before this block (-1 at first) to its last
 *   bodyBytes       varint   length of the three lists below, to step over the block unread
 *   positionBytes   varint   length of the block's part of the positions
 *   docs            varint*  gaps; the first is from the last document before this block
 *   frequencies     varint*  weighted frequency, in quarters of a plain word; never 0
 *   positionLengths varint*  bytes that each document has in the positions
 *
 * and, in a stream of their own that only phrases and the best candidates need:
 *
 *   places          varint*  per document: (gap of position) * 8 + field; the first gap is from 0
 *
 * A term in document 5 as the title's first word (position 0, field 1, frequency 16) and in document 7
 * as the body's words 3 and 20 (field 0, frequency 8) has the postings 02 08 06 04  06 02  10 08  01 03
 * and the positions 01  18 88 01.
 */
export const POSTINGS_BLOCK = 128;

/** What a cursor stands on when its list is at its end; greater than any document. */
export const NO_MORE_DOCS = 0x7fffffff;
