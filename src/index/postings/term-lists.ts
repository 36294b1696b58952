/**
 * Lists of postings by term: of the words of a segment's documents, or of the anchor texts of links to them.
 */
import type { TermEntry } from '../dictionary/mod.ts';
import type { PostingsCursor } from './postings-reader.ts';

export interface TermLists {
  /** Number of documents of the segment. */
  readonly docCount: number;
  findTerm(term: string): TermEntry | null;
  /** Positions are read only when the cursor needs them. */
  postings(entry: TermEntry): PostingsCursor;
  /** The bytes as in the file, for the search kernel. */
  postingsBytes(entry: TermEntry): Buffer;
  positionsBytes(entry: TermEntry): Buffer;
}
