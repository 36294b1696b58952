/**
 * The postings of one term: documents in ascending order, in blocks of 128, and a shorter last block.
 *
 *   full block:
 *     span          varint   from the last document before this block (-1 at first) to its last
 *     body          varint   byte length of the three lists below, times 2, and 1 if the block is mixed
 *     places        varint   how many places the block's documents have
 *     placesStep    varint   how far on in the positions their first block of places begins
 *     docs          packed   gaps - 1; the first gap is from the last document before this block
 *     frequencies   packed   weighted frequency - 1, in quarters of a plain word
 *     counts        packed   places of each document - 1
 *   last block:
 *     placesStep    varint   as above; only if there are full blocks
 *     per document:
 *       gap         varint   (gap - 1) * 2, and 1 if the document has more than one plain word
 *       count       varint   places - 1                      only then
 *       rest        varint   frequency - 3 * places          only then: no place weighs less than 3
 *
 * A block that is not mixed has nothing but plain words: it has no `frequencies`, each is 4 * count.
 * `packed` is described in packing.ts. What it takes to find the best documents stands in this part;
 * maxima do not, as they depend on lengths and profile: they are computed when a list is loaded.
 *
 * The places are a stream of their own that only phrases and the best candidates need, across documents,
 * again in blocks of 128:
 *
 *   full block:
 *     bytes         varint   length of the lists below; never 0
 *     gaps          packed   of positions; the first of a document is from 0
 *     fields        packed
 *     forms         packed   which form of the term it is; only if it has several
 *   last block:
 *     mark          00       only if there are full blocks
 *     per place     varint   gap * 2, and 1 if it is not the first form in plain text; only then
 *                   varint   form * 8 + field
 *
 * A term in document 5 as the title's first word (position 0, field 1, frequency 16) and in document 7
 * as the body's words 3 and 20 (field 0, frequency 8), there in its second form, has the postings
 * 0B 00 0D  03 01 02  and the positions  01 01  06 23 08.
 */
export const POSTINGS_BLOCK = 128;

/** What a cursor stands on when its list is at its end; greater than any document. */
export const NO_MORE_DOCS = 0x7fffffff;

/** In the last block of places: what a form is multiplied with before its field is added. */
export const FORM_SCALE = 8;
