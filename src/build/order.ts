/** The order of documents in a segment: by domain, host and path, so that what is alike lies together. */
import { type CanonicalUrl, localityKey } from '../url/mod.ts';

/** The URLs in an index are canonical: this room put them there. */
export function orderKey(url: string): string {
  return localityKey(url as CanonicalUrl);
}
