/**
 * What a fetched document says, whatever its format was.
 *
 * `text` is all that a reader would see, in reading order: white space folded to single spaces,
 * blocks (paragraphs, headings, cells, list items) separated by one newline. The title is not part
 * of it. `marks` are the stretches of `text` that the author set apart, as offsets in UTF-16 units,
 * in ascending order of `start`; a stretch without a mark is plain body text.
 *
 * The journal keeps pages as JSON: a field that is optional here is left out when it has nothing to
 * say, and pages that were written before it existed read the same.
 *
 *   contentType        without parameters
 *   kind?              "feed"; absent for what is written to be read
 *   title, description, text
 *   language           BCP 47 in lower case, or empty
 *   declaredLanguage?  what the page declares, if its text says otherwise
 *   marks              [{start, end, kind}], by kind:
 *                        1 to 3  headings of the first three levels; in older journals 3 is any lower one, too
 *                        4       emphasis
 *                        5       the text of a link
 *                        6 to 8  headings of levels four to six
 *   boilerplate?       [[start, end]], menus and the like
 *   noSnippet?         [[start, end]], not to be quoted
 *   links              [{url, text, nofollow, rel?}]
 *   canonical          a URL, or null
 *   alternates?        [{url, language?, type?}]
 *   favicon?           the icon of the site: a URL, a small picture as `data:`, or `data:,` if it is to have none
 *   publishedAt?, modifiedAt?   milliseconds since 1970
 *   openGraph?         {name: value}, names without `og:`
 *   structured?        [{type, properties: {name: [value]}}]
 *   robots             {index, follow, archive, snippet, maxSnippet?, unavailableAfter?}
 */
import type { CanonicalUrl } from '../url/mod.ts';

/** Written to the journal; numbers never change their meaning. Older journals have 3 for all headings below the second level. */
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

/** From 1 to 6; 0 for what is no heading. */
export function headingLevel(kind: MarkKind): number {
  return LEVELS.indexOf(kind) + 1;
}

export interface Mark {
  start: number;
  end: number;
  kind: MarkKind;
}

/** A stretch of a page's text in UTF-16 units. In lists they ascend and do not touch. */
export type Range = [start: number, end: number];

export interface Link {
  url: CanonicalUrl;
  /** The anchor text, white space folded, at most 200 characters. */
  text: string;
  /** `rel` has nofollow, ugc or sponsored: crawl rules and the link graph leave it out. */
  nofollow: boolean;
  /** What `rel` says of the page that is linked to, in lower case; nothing that only concerns browsers. */
  rel?: string;
}

/** The same content elsewhere: in another language (`hreflang`), or in another format such as a feed. */
export interface Alternate {
  url: CanonicalUrl;
  /** A BCP 47 tag in lower case, or `x-default`. */
  language?: string;
  /** A content type. */
  type?: string;
}

/**
 * A thing that the page describes for machines (JSON-LD or microdata): `Recipe`, `Product`. Parts of
 * parts have dotted names: `{ type: 'Product', properties: { name: ['Lamp'], 'offers.price': ['12'] } }`.
 */
export interface StructuredItem {
  /** The name of its schema.org type without the address, or the whole address of another type. */
  type: string;
  properties: Record<string, string[]>;
}

/** Every directive of `<meta name=robots>`, `<meta name=gyre>` and X-Robots-Tag, the most restrictive of each. */
export interface RobotsDirectives {
  index: boolean;
  follow: boolean;
  archive: boolean;
  snippet: boolean;
  /** At most this many characters may be quoted; absent when there is no limit. */
  maxSnippet?: number;
  /** Not to be found after this moment, in milliseconds since 1970; absent when there is none. */
  unavailableAfter?: number;
}

export interface Page {
  /** As the content type said, without parameters: `text/html`. */
  contentType: string;
  /** Absent for what is written to be read; a feed only announces pages, which are its links. */
  kind?: 'feed';
  title: string;
  description: string;
  /** A BCP 47 tag in lower case: as the page declares it, unless the text is clearly in another; or empty. */
  language: string;
  /** What the page declares, if the text says otherwise. */
  declaredLanguage?: string;
  text: string;
  marks: Mark[];
  /** What is around the content rather than part of it: menus, side bars, footers. */
  boilerplate?: Range[];
  /** What may be indexed but not quoted: `data-nosnippet`. */
  noSnippet?: Range[];
  links: Link[];
  /** `<link rel=canonical>` or the header of that name, if it names another page than this. */
  canonical: CanonicalUrl | null;
  alternates?: Alternate[];
  /** The icon that it declares for its site: an address, or a `data:` URL (declared-icon.ts). */
  favicon?: string;
  /** Milliseconds since 1970, as the page or its headers say. */
  publishedAt?: number;
  modifiedAt?: number;
  /** `og:` properties without the prefix, the first value of each; `image` and `url` are resolved. */
  openGraph?: Record<string, string>;
  structured?: StructuredItem[];
  robots: RobotsDirectives;
}
