/**
 * An interface to find postings by term: either of the words of a segment's documents, or of the anchor texts
 * of links to them.
 */
import type { TermEntry } from '../dictionary/mod.ts';
import type { PostingsCursor } from './postings-reader.ts';

export interface TermLists {
  /** The number of documents in the segment. */
  readonly docCount: number;
  findTerm(term: string): TermEntry | null;
  /**
   * Returns a cursor over the postings of a term. Positions are read from the file only when the cursor needs
   * them.
   */
  postings(entry: TermEntry): PostingsCursor;
  /** Returns the encoded postings of a term as they are in the file, for the search kernel. */
  postingsBytes(entry: TermEntry): Buffer;
  positionsBytes(entry: TermEntry): Buffer;
}
