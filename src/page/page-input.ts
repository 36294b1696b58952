/** The input of a parser: the parts of a response that describe the document. */
import type { CanonicalUrl } from '../url/mod.ts';

export interface PageInput {
  url: CanonicalUrl;
  /** The header's value, or the empty string. */
  contentType: string;
  /** Content coding decoded. */
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
