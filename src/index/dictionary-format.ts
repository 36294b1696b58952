/**
 * The terms of a segment in ascending order of UTF-16 units (JavaScript's `<`), in blocks of 16:
 *
 *   postingsAt     varint   file offset of the first term's postings
 *   per term:
 *     shared        varint   UTF-16 units shared with the term before; 0 for the first of a block;
 *                            never ends between the halves of a surrogate pair
 *     rest          text     the other units as UTF-8, with their byte length in front
 *     docCount      varint   documents in the postings
 *     postingsBytes varint
 *     positionBytes varint   the positions follow the postings, the next term follows the positions
 *
 * The first term and the length of every block are in the segment's tables, which are held in
 * memory: a look-up is a binary search there and one read of one block.
 *
 * The terms `node` (1 document, 7 + 2 bytes) and `nodes` (1 document, 8 + 3 bytes), their postings at
 * byte 300, are the block  AC 02  00 04 6E 6F 64 65 01 07 02  04 01 73 01 08 03.
 */
export const TERMS_PER_BLOCK = 16;

/** Where one term's postings are, and how many documents they name. */
export interface TermEntry {
  term: string;
  docCount: number;
  postingsAt: number;
  postingsBytes: number;
  positionBytes: number;
}
