/**
 * The order of documents in a segment: by domain, host and path, so that similar documents are near each
 * other.
 */
import { type CanonicalUrl, localityKey } from '../url/mod.ts';

/** Returns the sort key of a document's URL. The cast is safe: the index contains only canonical URLs. */
export function orderKey(url: string): string {
  return localityKey(url as CanonicalUrl);
}
