/** A document on its way into the index, in a segment's table, and on its way out. */
import type { Stemming } from '../text/mod.ts';
import type { Field } from './fields.ts';

/** The number of a document in its segment. */
export type DocId = number;

/** What is kept word for word, to show a result and to cut a snippet from. */
export interface StoredDocument {
  url: string;
  title: string;
  description: string;
  text: string;
  /** As the page declares it, or the empty string. */
  language: string;
  /** Milliseconds since 1970. */
  fetchedAt: number;
  /** The page allows no longer quotation than this, in UTF-16 units; absent if it does not say. */
  maxSnippet?: number;
  /** The page asks that no copy of it be shown. */
  noCopy?: true;
  /** Ascending; absent if nobody knows where they are in what is kept of the text. */
  headings?: readonly Heading[];
}

/** A heading in the text; offsets in UTF-16 units. */
export interface Heading {
  /** From 1 to 6. */
  level: number;
  start: number;
  end: number;
}

/** What is held in memory of every document, to score it. */
export interface DocumentRow {
  /** 64 bits, signed, that stand for the URL. No two live documents of an index share one. */
  fingerprint: bigint;
  host: string;
  /** Words in all fields. */
  length: number;
  /** Words of the title; 255 stands for that or more. */
  titleLength: number;
  /** Parts of the URL's path; 0 is a home page; 255 stands for that or more. */
  urlDepth: number;
  /** By which rules its words became terms; that of its language. */
  stemming: Stemming;
  /** As in `StoredDocument`. */
  language: string;
  /** What it is: `html`, `pdf`, `html/news` (document-type.ts); or the empty string. */
  type: string;
  /** When it was published, changed or fetched, in days since 1970; 0 if nobody knows. */
  day: number;
  /** How much of the page is text of its own: 1 the least, 255 the most, 0 if nobody knows. */
  quality: number;
}

/** A stretch of the text that is not plain body text; offsets in UTF-16 units. */
export interface Stretch {
  start: number;
  end: number;
  field: Field;
}

export interface IndexDocument {
  stored: StoredDocument;
  fingerprint: bigint;
  host: string;
  urlDepth: number;
  title: string;
  text: string;
  /** In ascending order of `start`; where stretches overlap, the heaviest field counts. */
  stretches: readonly Stretch[];
  /** The URL as words. */
  urlText: string;
  /** As in `DocumentRow`; absent if unknown. */
  type?: string;
  day?: number;
  quality?: number;
}
