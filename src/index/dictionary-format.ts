/**
 * The terms of a segment, as in sorted-blocks.ts. The payload of a term is
 *
 *   postingsAt    varint   file offset of its postings; only for the first term of a block
 *   docCount      varint   documents in the postings, times 2, and 1 if forms follow
 *   lengths       u8       16 * postingsBytes + positionBytes, if both are less than 16 and not both 0
 *                 00, then postingsBytes varint, positionBytes varint, if not
 *   formCount     varint   only if forms follow, as the next two
 *   per form      the form by what differs from the term; then, if there are several,
 *                 varint   documents that have it
 *
 * The positions follow the postings, the next term follows the positions. A term without forms has one: itself. Forms
 * are numbered in this order, the most frequent first when the segment was written; where there are 256, the last
 * stands for all rarer ones, and is empty.
 *
 * The terms `node` (1 document, 7 + 2 bytes) and `nod` with the forms `nods` and `nodding` (2 documents, one form in
 * each, 8 + 30 bytes), their postings at byte 300, are, in their order,
 *
 *   nod    AC 02  05 00 08 1E  02  31 73 01  34 64 69 6E 67 01
 *   node   31 65  02 72
 *
 * where `nod` itself is in the tables.
 *
 * The words that are not their own term are kept apart, so that words can be walked in order, and found by their
 * beginning: again as in sorted-blocks.ts, in their own section; the payload is the term by what differs from the
 * word. A word stands there once for each of its terms: documents in several languages may give it several.
 */

/** Lengths below this fit into half a byte. */
export const SHORT_LENGTH = 16;

/** A word that documents have for a term. */
export interface TermForm {
  word: string;
  docCount: number;
}

/** Where one term's postings are, how many documents they name, and in which forms. */
export interface TermEntry {
  term: string;
  docCount: number;
  postingsAt: number;
  postingsBytes: number;
  positionBytes: number;
  /** By number; null if the term is its own only form. */
  forms: readonly TermForm[] | null;
}

/** A word and the term it is a form of. */
export interface WordOfTerm {
  word: string;
  term: string;
}

/** Whether the places of a term say which form they are. */
export function hasSeveralForms({ forms }: Pick<TermEntry, 'forms'>): boolean {
  return forms !== null && forms.length > 1;
}
