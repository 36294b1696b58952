/**
 * The data of a document in three forms: the input of the indexer, a row of a segment's document table, and a
 * stored document.
 */
import type { Stemming } from '../text/mod.ts';
import type { Field } from './fields.ts';
import type { Signature } from './signature.ts';

/** The number of a document within its segment. */
export type DocId = number;

/**
 * The texts and metadata of a document that are stored unchanged. They are shown in results, and snippets are
 * cut from the text.
 */
export interface StoredDocument {
  url: string;
  title: string;
  description: string;
  text: string;
  /** The language that the page declares; empty if it declares none. */
  language: string;
  /** Time of the fetch, in milliseconds since 1970. */
  fetchedAt: number;
  /**
   * The maximum length of a snippet that the page permits, in UTF-16 units. Absent if the page sets no limit.
   */
  maxSnippet?: number;
  /** True if the page asks that no cached copy be shown. */
  noCopy?: true;
  /** The headings in the stored text, ascending. Absent if their positions are unknown. */
  headings?: readonly Heading[];
  /** The short blocks of code in the stored text, ascending. Absent if there are none. */
  code?: readonly StoredCode[];
  /** The pictures of the main content, for image search. Absent if there are none. */
  images?: readonly StoredImage[];
}

/**
 * A block of code. `code` has its line breaks; its words are also in the stored text, from `start` to `end`,
 * without line breaks.
 */
interface StoredCode {
  start: number;
  end: number;
  code: string;
}

export interface StoredImage {
  url: string;
  /**
   * The best text about the picture: its `alt` text, caption or title; otherwise the heading above it or its
   * file name.
   */
  label: string;
  /** All other texts about the picture, one per line. */
  context: string;
}

/** A heading in the stored text. Offsets are in UTF-16 units. */
export interface Heading {
  /** The heading level, from 1 to 6. */
  level: number;
  start: number;
  end: number;
}

/** A row of the document table. The table is held in memory for scoring. */
export interface DocumentRow {
  /** A signed 64-bit hash of the URL. No two live documents of an index have the same fingerprint. */
  fingerprint: bigint;
  host: string;
  /** Number of words of the document in all fields. */
  length: number;
  /** Number of words in the title; 255 stands for 255 or more. */
  titleLength: number;
  /**
   * The subject of a title is the part that names the page; the rest is the name of the site or a section
   * number. `subjectStart` is the number of title words before the subject, `subjectLength` the number of
   * words in the subject. 255 stands for 255 or more.
   */
  subjectStart: number;
  subjectLength: number;
  /** Number of letters and digits in the subject of the title; 255 stands for 255 or more. */
  subjectSize: number;
  /** The key of the whole title, which is `titleKeyOf` of `text/`; 0 for a title without letters. */
  titleKey: number;
  /** The position of the first word of the text that is not in a menu; 65,535 stands for 65,535 or more. */
  contentStart: number;
  /** Number of words in the last segment of the URL's path, which names the page; 0 for a home page. */
  nameLength: number;
  /** True if the page is the home page of its site or the start page of a directory. */
  isEntry: boolean;
  /** Depth of the URL's path: 0 for a home page; 255 stands for 255 or more. */
  urlDepth: number;
  /** The stemming rules that turned the document's words into terms. They follow from its language. */
  stemming: Stemming;
  /** The language that the page declares; empty if it declares none. */
  language: string;
  /** The document type, such as `html`, `pdf` or `html/news` (see document-type.ts), or the empty string. */
  type: string;
  /** The day on which the page was published, changed or fetched, in days since 1970; 0 if unknown. */
  day: number;
  /** How much readable text of its own the page has, from 1 (least) to 255 (most); 0 if unknown. */
  quality: number;
  /** The signature by which near duplicates are found; all numbers are 0 if it is unknown. */
  signature: Signature;
  /** How well the URL suits the page, according to the page itself (see page/url-fit.ts); 0 is the worst. */
  urlFit: number;
  /** The key that translations of a page share (see page/translation-key.ts); 0 if it is unknown. */
  translationKey: number;
}

/** A range of the text that is not plain body text, such as a heading. Offsets are in UTF-16 units. */
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
  /**
   * The range of `title` that names the page, without the name of the site. Absent if it is the whole title.
   */
  titleSubject?: { start: number; end: number };
  text: string;
  /**
   * The ranges of the text that are not plain body text, in ascending order of `start`. Where ranges overlap,
   * the field with the largest weight counts.
   */
  fieldRanges: readonly FieldRange[];
  /** The URL with escapes replaced by spaces, so that its words can be indexed. */
  urlText: string;
  /** The range of `urlText` with the last segment of the path, which names the page. Absent for a home page. */
  urlName?: { start: number; end: number };
  /** True if the page is a home page or the start page of a directory; absent means false. */
  isEntry?: boolean;
  /** The document type, such as `html/news` (see document-type.ts). Absent if unknown. */
  type?: string;
  day?: number;
  quality?: number;
  signature?: Signature;
  urlFit?: number;
  translationKey?: number;
}

/**
 * The base of the digits of `urlFit`. Each digit says how well the URL agrees with one statement, such as the
 * canonical link of the page. The last digit compares the language that the URL names with the language of
 * the text.
 */
const URL_RATINGS = 3;

/**
 * Returns 1 if the URL names the language of the text, 0 if it names another language, and 0.5 if it names
 * none.
 */
export function urlLanguageOf(urlFit: number): number {
  return urlFit === 0 ? 0.5 : (urlFit % URL_RATINGS) / (URL_RATINGS - 1);
}
