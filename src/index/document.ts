/** The shapes of a document: as given to the indexer, as a row of a segment's table, and as stored. */
import type { Stemming } from '../text/mod.ts';
import type { Field } from './fields.ts';
import type { Signature } from './signature.ts';

/** The number of a document within its segment. */
export type DocId = number;

/** The parts of a document that are stored verbatim, for showing results and cutting snippets. */
export interface StoredDocument {
  url: string;
  title: string;
  description: string;
  text: string;
  /** The language that the page declares, or the empty string. */
  language: string;
  /** Milliseconds since 1970. */
  fetchedAt: number;
  /** The longest snippet that the page permits, in UTF-16 units; absent if the page sets no limit. */
  maxSnippet?: number;
  /** The page asks that no cached copy be shown. */
  noCopy?: true;
  /** Ascending; absent if the positions of the headings in the stored text are unknown. */
  headings?: readonly Heading[];
  /** Short blocks of code, ascending; absent if there are none. */
  code?: readonly StoredCode[];
  /** The pictures of the content; absent if there are none. */
  images?: readonly StoredImage[];
}

/** A block of code whose words are in the text from `start` to `end`, without line breaks. */
interface StoredCode {
  start: number;
  end: number;
  code: string;
}

export interface StoredImage {
  url: string;
  /** The best text about the picture: its `alt`, caption or title, else the heading above it or its file name. */
  label: string;
  /** All other texts about it, one per line. */
  context: string;
}

/** A heading in the text; offsets in UTF-16 units. */
export interface Heading {
  /** From 1 to 6. */
  level: number;
  start: number;
  end: number;
}

/** The columns of the document table, which are held in memory for scoring. */
export interface DocumentRow {
  /** A signed 64-bit hash of the URL. No two live documents of an index have the same one. */
  fingerprint: bigint;
  host: string;
  /** Number of words in all fields. */
  length: number;
  /** Number of words of the title; 255 means 255 or more. */
  titleLength: number;
  /**
   * The words of the title that name the page: the number of words before them, and their number. The others are the
   * name of the site, or a section number. 255 means 255 or more.
   */
  subjectStart: number;
  subjectLength: number;
  /** The position of the first word of the text that is not in a menu; 65,535 means that or more. */
  contentStart: number;
  /** Number of words of the last part of the URL's path, which names the page; 0 for a home page. */
  nameLength: number;
  /** The page is the home page of its site or the start page of a directory. */
  isEntry: boolean;
  /** Number of segments of the URL's path: 0 for a home page, 255 means 255 or more. */
  urlDepth: number;
  /** The stemming rules that turned its words into terms; they follow from the document's language. */
  stemming: Stemming;
  /** As in `StoredDocument`. */
  language: string;
  /** For example `html`, `pdf` or `html/news` (document-type.ts); or the empty string. */
  type: string;
  /** The day when it was published, changed or fetched, in days since 1970; 0 if unknown. */
  day: number;
  /** The share of the page that is its own text, from 1 (least) to 255 (most); 0 if unknown. */
  quality: number;
  /** All 0 if unknown. */
  signature: Signature;
  /** How well the URL suits the page, by the statements of the page: see page/url-fit.ts; 0 is the least. */
  urlFit: number;
}

/** A range of the text that is not plain body text; offsets in UTF-16 units. */
export interface FieldRange {
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
  /** The range of `title` that names the page. Absent if that is the whole title. */
  titleSubject?: { start: number; end: number };
  text: string;
  /** In ascending order of `start`. If ranges overlap, the field with the largest weight counts. */
  fieldRanges: readonly FieldRange[];
  /** The URL with spaces in place of escapes; its words are indexed. */
  urlText: string;
  /** The range of `urlText` that names the page: the last part of the path. Absent for a home page. */
  urlName?: { start: number; end: number };
  /** As in `DocumentRow`; absent means false. */
  isEntry?: boolean;
  /** As in `DocumentRow`; absent if unknown. */
  type?: string;
  day?: number;
  quality?: number;
  signature?: Signature;
  urlFit?: number;
}

/** `urlFit` is a number in this base, with one digit per statement; the last digit rates the language in the URL. */
const URL_RATINGS = 3;

/** Returns 1 if the URL declares the language of the text, 0 if it declares another one, else 0.5. */
export function urlLanguageOf(urlFit: number): number {
  return urlFit === 0 ? 0.5 : (urlFit % URL_RATINGS) / (URL_RATINGS - 1);
}
