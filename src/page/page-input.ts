/** What a parser is given: the part of a response that says what the document is. */
import type { CanonicalUrl } from '../url/mod.ts';

export interface PageInput {
  url: CanonicalUrl;
  /** The header's value, or the empty string. */
  contentType: string;
  /** Without content coding. */
  body: Uint8Array;
  /** The values of all X-Robots-Tag headers. */
  xRobotsTag: readonly string[];
  /** The values of all Link headers. */
  linkHeader?: readonly string[];
  /** The value of the Last-Modified header. */
  lastModified?: string;
  /** The value of the Content-Language header. */
  contentLanguage?: string;
}
