/**
 * The terms of a segment in ascending order of UTF-16 units (JavaScript's `<`), in blocks of 32:
 *
 *   postingsAt     varint   file offset of the first term's postings
 *   per term:
 *     shared        varint   UTF-16 units shared with the term before; never ends between the halves of a
 *                            surrogate pair; not for the first of a block
 *     rest          text     the other units as UTF-8, with their byte length in front; not for the first
 *     docCount      varint   documents in the postings
 *     lengths       u8       16 * postingsBytes + positionBytes, if both are less than 16 and not both 0
 *                   00, then postingsBytes varint, positionBytes varint, if not
 *
 * The positions follow the postings, the next term follows the positions. The first term and the length of every
 * block are in the segment's tables, which are held in memory: a look-up is a binary search there and one read of
 * one block.
 *
 * The terms `node` (1 document, 7 + 2 bytes) and `nodes` (1 document, 8 + 30 bytes), their postings at
 * byte 300, are the block  AC 02  01 72  04 01 73 01 00 08 1E.
 */
export const TERMS_PER_BLOCK = 32;

/** Lengths below this fit into half a byte. */
export const SHORT_LENGTH = 16;

/** Where one term's postings are, and how many documents they name. */
export interface TermEntry {
  term: string;
  docCount: number;
  postingsAt: number;
  postingsBytes: number;
  positionBytes: number;
}
