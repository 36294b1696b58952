/**
 * The content and metadata of a fetched document, independent of its format.
 *
 * `text` is all that a reader would see, in reading order: white space folded to single spaces, blocks (paragraphs,
 * headings, cells, list items) separated by one newline. The title is not part of it. `marks` are the ranges of
 * `text` with a special style, as offsets in UTF-16 units, in ascending order of `start`; text without a mark is
 * plain body text.
 *
 * The journal stores pages as JSON. An optional field is omitted when it has no value, so pages written before the
 * field existed are read the same way.
 *
 *   contentType        without parameters
 *   kind?              "feed"; absent for other pages
 *   title, description, text
 *   language           BCP 47 in lower case, or empty
 *   declaredLanguage?  the declared language, if the text is in another
 *   marks              [{start, end, kind}], by kind:
 *                        1 to 3  headings of the first three levels; in older journals 3 also means levels four to six
 *                        4       emphasis
 *                        5       the text of a link
 *                        6 to 8  headings of levels four to six
 *   boilerplate?       [[start, end]], menus and the like
 *   noSnippet?         [[start, end]], not to be quoted
 *   images?            [{url, at, alt?, caption?, title?}], the pictures of the content; `at` is an offset
 *   code?              [{start, end, code}], short blocks of code with their line breaks
 *   links              [{url, text, nofollow, rel?}]
 *   canonical          a URL, or null
 *   alternates?        [{url, language?, type?}]
 *   favicon?           the icon of the site: a URL, a small picture as `data:`, or `data:,` if the page declares none
 *   publishedAt?, modifiedAt?   milliseconds since 1970
 *   openGraph?         {name: value}, names without `og:`
 *   collections?       the names of the operator's collections that have the page
 *   structured?        [{type, source?, id?, properties: {name: [value]}}]
 *   rating?            "adult" or "mature", if the page or its server says so
 *   robots             {index, follow, archive, snippet, maxSnippet?, unavailableAfter?}
 *   incomplete?        true if the document caused more work than its budget allows, so that its rest was not read
 */
import type { CanonicalUrl } from '../url/mod.ts';

/**
 * The kinds of marks. The journal contains these numbers, so their meaning must never change. Older journals
 * have 3 for all headings below the second level.
 */
export const MarkKind = {
  heading1: 1,
  heading2: 2,
  heading3: 3,
  heading4: 6,
  heading5: 7,
  heading6: 8,
  emphasis: 4,
  link: 5,
} as const;
export type MarkKind = (typeof MarkKind)[keyof typeof MarkKind];

const LEVELS: readonly MarkKind[] = [
  MarkKind.heading1,
  MarkKind.heading2,
  MarkKind.heading3,
  MarkKind.heading4,
  MarkKind.heading5,
  MarkKind.heading6,
];

/** Returns the level of a heading, 1 to 6; 0 if the mark is not a heading. */
export function headingLevel(kind: MarkKind): number {
  return LEVELS.indexOf(kind) + 1;
}

export interface Mark {
  start: number;
  end: number;
  kind: MarkKind;
}

/** A range of a page's text in UTF-16 units. Ranges in a list are ascending and do not touch. */
export type Range = [start: number, end: number];

export interface Link {
  url: CanonicalUrl;
  /** The anchor text, white space folded, at most 200 characters. */
  text: string;
  /** True if `rel` contains nofollow, ugc or sponsored. The crawl and the link graph ignore such links. */
  nofollow: boolean;
  /**
   * The tokens of `rel` that describe the linked page, in lower case; without tokens that only concern
   * browsers.
   */
  rel?: string;
}

/** A picture in the content of a page. */
export interface Image {
  url: CanonicalUrl;
  /** The length of the text before the picture. */
  at: number;
  alt?: string;
  caption?: string;
  title?: string;
}

/** A short block of code. Its words are in the text from `start` to `end`, without line breaks. */
export interface CodeBlock {
  start: number;
  end: number;
  code: string;
}

/** The same content at another URL: in another language (`hreflang`), or in another format such as a feed. */
export interface Alternate {
  url: CanonicalUrl;
  /** The language of the alternate as a BCP 47 tag in lower case, or `x-default`. */
  language?: string;
  type?: string;
}

/**
 * An object, such as a recipe or a product, that the page describes for machines (JSON-LD, microdata or RDFa Lite):
 * `Recipe`, `Product`. Nested properties have dotted names: `{ type: 'Product', properties: { name: ['Lamp'],
 * 'offers.price': ['12'] } }`.
 */
export interface StructuredItem {
  /**
   * The name of the schema.org type without the URL prefix; for other vocabularies, the whole URL of the
   * type.
   */
  type: string;
  /**
   * `json-ld`, `microdata` or `rdfa`; `rule FILE:LINE` if a rule of the operator found the object; `list` if it was
   * recognized as an entry of a list; `properties` if it is the document, as its own properties describe it. Absent in older journals.
   */
  source?: string;
  /** The identifier that the page gives to the object (`@id`, `itemid`, `resource`). */
  id?: string;
  properties: Record<string, string[]>;
}

/** The audience for which a page says that it is not suited. `adult` is stronger than `mature`. */
export type PageRating = 'adult' | 'mature';

/**
 * The robots directives of a page, from `<meta name=robots>`, `<meta name=gyre>` and X-Robots-Tag. If several
 * differ, the most restrictive counts.
 */
export interface RobotsDirectives {
  index: boolean;
  follow: boolean;
  archive: boolean;
  snippet: boolean;
  /** The maximum length of a snippet in characters; absent if there is no limit. */
  maxSnippet?: number;
  /**
   * The time in milliseconds since 1970 after which the page is not listed in results; absent if there is no
   * limit.
   */
  unavailableAfter?: number;
}

export interface Page {
  /** The content type without parameters: `text/html`. */
  contentType: string;
  /** `feed` for a feed, which only announces other pages; absent for documents that are meant to be read. */
  kind?: 'feed';
  title: string;
  description: string;
  /**
   * A BCP 47 tag in lower case: the declared language, unless the text is clearly in another; empty if unknown.
   */
  language: string;
  /** The declared language, if the text is in another language. */
  declaredLanguage?: string;
  text: string;
  marks: Mark[];
  /** The ranges of menus, side bars, headers and footers around the content. */
  boilerplate?: Range[];
  /** The ranges of text that may be indexed but not quoted (`data-nosnippet`). */
  noSnippet?: Range[];
  images?: Image[];
  code?: CodeBlock[];
  links: Link[];
  /**
   * The URL of `<link rel=canonical>` or of the Link header; null if there is none or it is the URL of this
   * page.
   */
  canonical: CanonicalUrl | null;
  alternates?: Alternate[];
  /** The icon that the page declares for its site: a URL, or a `data:` URL (declared-icon.ts). */
  favicon?: string;
  /** `publishedAt` and `modifiedAt` are in milliseconds since 1970, from the page or its headers. */
  publishedAt?: number;
  modifiedAt?: number;
  /**
   * The `og:` properties without the prefix, with the first value of each. `image` and `url` are resolved
   * URLs.
   */
  openGraph?: Record<string, string>;
  /** The names of the operator's collections that have the page, in alphabetical order. */
  collections?: string[];
  structured?: StructuredItem[];
  /** The rating that the page declares; absent if it declares none. */
  rating?: PageRating;
  robots: RobotsDirectives;
  /** True if the document exceeded its work budget, so that its rest was not read (`limits.ts`). */
  incomplete?: true;
}
