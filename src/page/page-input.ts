/** The input of a parser: the body of a response and the headers that describe the document. */
import type { CanonicalUrl } from '../url/mod.ts';

export interface PageInput {
  url: CanonicalUrl;
  /** The value of the Content-Type header, or the empty string. */
  contentType: string;
  /** The body with its content coding decoded. */
  body: Uint8Array;
  /** The values of all X-Robots-Tag headers. */
  xRobotsTag: readonly string[];
  /** The values of all Link headers. */
  linkHeader?: readonly string[];
  lastModified?: string;
  /** The value of the Rating header. */
  rating?: string;
  contentLanguage?: string;
}
