/**
 * The order of documents in a segment: by domain, host and path, so that similar documents are near each
 * other.
 */
import { type CanonicalUrl, localityKey } from '../url/mod.ts';

/** The cast is safe: this room writes only canonical URLs to the index. */
export function orderKey(url: string): string {
  return localityKey(url as CanonicalUrl);
}
