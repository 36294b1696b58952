/**
 * What a fetched document says, whatever its format was.
 *
 * `text` is all that a reader would see, in reading order: white space folded to single spaces,
 * blocks (paragraphs, headings, cells, list items) separated by one newline. The title is not part
 * of it. `marks` are the stretches of `text` that the author set apart, as offsets in UTF-16 units,
 * in ascending order of `start`; a stretch without a mark is plain body text.
 */
import type { CanonicalUrl } from '../url/mod.ts';

/** Written to the journal; numbers never change their meaning. */
export const MarkKind = { heading1: 1, heading2: 2, heading3: 3, emphasis: 4, link: 5 } as const;
export type MarkKind = (typeof MarkKind)[keyof typeof MarkKind];

export interface Mark {
  start: number;
  end: number;
  kind: MarkKind;
}

export interface Link {
  url: CanonicalUrl;
  /** The anchor text, white space folded, at most 200 characters. */
  text: string;
  /** `rel` has nofollow, ugc or sponsored: crawl rules and the link graph leave it out. */
  nofollow: boolean;
}

/** Every directive of `<meta name=robots>`, `<meta name=gyre>` and X-Robots-Tag, the most restrictive of each. */
export interface RobotsDirectives {
  index: boolean;
  follow: boolean;
  archive: boolean;
  snippet: boolean;
}

export interface Page {
  /** As the content type said, without parameters: `text/html`. */
  contentType: string;
  title: string;
  description: string;
  /** A BCP 47 tag in lower case, as the page declares it, or the empty string. */
  language: string;
  text: string;
  marks: Mark[];
  links: Link[];
  /** `<link rel=canonical>`, if it names another page than this. */
  canonical: CanonicalUrl | null;
  robots: RobotsDirectives;
}
