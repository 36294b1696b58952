/**
 * The postings of one term: documents in ascending order, in full blocks of 128 and a shorter last block. A
 * place is an occurrence of the term in a document: its position, its field and its form.
 *
 *   full block:
 *     span          varint   last document of this block minus that of the block before (-1 for the first block)
 *     body          varint   byte length of docs, frequencies and counts, times 2, plus 1 if the block is mixed
 *     places        varint   number of places of the block's documents
 *     placesStep    varint   the blocks of places for these documents start this many bytes after those of the block before
 *     docs          packed   gap - 1 of each document, the gap being the distance to the document before it
 *     frequencies   packed   weighted frequency - 1, in quarters of a plain word
 *     counts        packed   number of places - 1 of each document
 *   last block:
 *     placesStep    varint   as above; only if there are full blocks
 *     per document:
 *       gap         varint   (gap - 1) * 2, plus 1 unless its only place is in body text; if 1 was added:
 *       count       varint   places - 1
 *       rest        varint   frequency - places, because no place weighs less than 1
 *
 * A block that is not mixed has only words of body text. It has no `frequencies`, because each frequency is 4 *
 * count. The format `packed` is described in packing.ts. Maximum scores, which speed up the search, are not
 * stored: they depend on document lengths and on the scoring profile, and are computed when a list is loaded.
 *
 * The places of a term are stored after all of its postings, because only phrases and the best candidates need
 * them. They are in blocks of 128, which may contain places of several documents:
 *
 *   full block:
 *     bytes         varint   length of the lists below; never 0
 *     gaps          packed   distance of each position to the one before it; the first of a document counts from 0
 *     fields        packed   field number of each place
 *     forms         packed   form number of each place; only if the term has several forms
 *   last block:
 *     mark          00       only if there are full blocks
 *     per place     varint   gap * 2, plus 1 unless it is the first form in body text; if 1 was added:
 *                   varint   form * 8 + field
 *
 * Example: a term is the first word of the title of document 5 (position 0, field 1, frequency 16), and it is
 * the words 3 and 20 of the body of document 7 (field 0, frequency 8), where word 20 has its second form. It
 * has the postings 0B 00 0F  03 01 06  and the positions  01 01  06 23 08.
 */
export const POSTINGS_BLOCK = 128;

/** The value of a cursor's document after the end of its list. It is greater than any document number. */
export const NO_MORE_DOCS = 0x7fffffff;

/**
 * In the last block of places, field and form of a place are stored as the number form * FORM_SCALE + field.
 */
export const FORM_SCALE = 8;
