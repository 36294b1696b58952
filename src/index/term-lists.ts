/** Lists of postings by term: the words of a segment's documents, or those of links to them. */
import type { TermEntry } from './dictionary-format.ts';
import type { PostingsCursor } from './postings-reader.ts';

export interface TermLists {
  /** Of the segment. */
  readonly docCount: number;
  findTerm(term: string): TermEntry | null;
  /** The positions are read when they are asked for. */
  postings(entry: TermEntry): PostingsCursor;
  /** As they are in the file, for the search kernel. */
  postingsBytes(entry: TermEntry): Buffer;
  positionsBytes(entry: TermEntry): Buffer;
}
