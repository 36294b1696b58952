/**
 * The dictionary of a segment: its terms, stored as in sorted-blocks.ts. The payload of a term is
 *
 *   postingsAt    varint   file offset of its postings; only for the first term of a block
 *   docCount      varint   number of documents in the postings, times 2, plus 1 if forms follow
 *   lengths       u8       if both are less than 16 and not both 0: 16 * postingsBytes + positionBytes;
 *                        otherwise 00, then postingsBytes varint, positionBytes varint
 *   formCount     varint   number of forms; this and the next rows only if forms follow
 *   per form      the form as its difference from the term; then, if there are several,
 *                 varint   number of documents that have the form
 *
 * The positions of a term follow its postings, and the next term follows the positions. A term without forms
 * has one form: itself. Forms are numbered in the order in which they are stored: the most frequent first, by
 * the counts at the time when the segment was written. If there are 256, the last one is empty and stands for
 * all rarer forms.
 *
 * Example: the terms `node` (1 document, 7 + 2 bytes) and `nod` with the forms `nods` and `nodding` (2
 * documents, one form in each, 8 + 30 bytes), with their postings at byte 300, are, in ascending order,
 *
 *   nod    AC 02  05 00 08 1E  02  31 73 01  34 64 69 6E 67 01
 *   node   31 65  02 72
 *
 * where the text `nod` itself is missing, because the first string of each block is stored in the tables in
 * memory.
 *
 * Words that differ from their term have a section of their own, so that words can be walked in order and found
 * by prefix. It is stored as in sorted-blocks.ts too; the payload is the term, as its difference from the word.
 * The section has one entry for each pair of word and term: a word may have several terms if there are
 * documents in several languages.
 */

/** If two lengths are both below this number, they are stored in one byte, four bits each. */
export const SHORT_LENGTH = 16;

/** A word that documents use for a term, such as `nodding` for `nod`. */
export interface TermForm {
  word: string;
  docCount: number;
}

/**
 * An entry of the dictionary: the file offset and sizes of a term's postings, the number of documents in them,
 * and the forms of the term.
 */
export interface TermEntry {
  term: string;
  docCount: number;
  postingsAt: number;
  postingsBytes: number;
  positionBytes: number;
  /**
   * The forms of the term, in the order of their form numbers. Null if the only form of the term is the term
   * itself.
   */
  forms: readonly TermForm[] | null;
}

/** A word and its term, such as `nodding` and `nod`. */
export interface WordOfTerm {
  word: string;
  term: string;
}

/** Returns true if a term has several forms. A form number is then stored with each occurrence of the term. */
export function hasSeveralForms({ forms }: Pick<TermEntry, 'forms'>): boolean {
  return forms !== null && forms.length > 1;
}
