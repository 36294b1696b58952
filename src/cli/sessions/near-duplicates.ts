/** Finds the documents of the index that are near duplicates of a document. */
import { areNearDuplicates, contentSimilarity, type OpenSegment, signatureAt } from '../../index/mod.ts';
import { type CanonicalUrl, fingerprint, hostOf } from '../../url/mod.ts';

interface NearDuplicate {
  url: CanonicalUrl;
  /** Estimated share of shingles that both contents have in common. */
  similarity: number;
}

/**
 * Returns the near duplicates of the live document of a URL, the most similar first; none if the URL has no document.
 * Cost: compares one signature per document of the index.
 */
export function findNearDuplicates(segments: readonly OpenSegment[], url: CanonicalUrl): NearDuplicate[] {
  const place = segments
    .map((segment) => ({ segment, doc: segment.reader.findDocument(fingerprint(url)) }))
    .find(({ segment, doc }) => doc >= 0 && !segment.deletes.has(doc));
  if (!place) return [];
  const signature = signatureAt(place.segment.reader.table, place.doc);
  const found: NearDuplicate[] = [];
  for (const { reader, deletes } of segments) {
    const { table, docCount } = reader;
    for (let doc = 0; doc < docCount; doc++) {
      const isOnHost = table.hosts[table.hostOf[doc]!] === hostOf(url);
      const other = signatureAt(table, doc);
      if (deletes.has(doc) || !areNearDuplicates(signature, other, isOnHost)) continue;
      const otherUrl = reader.url(doc) as CanonicalUrl;
      if (otherUrl !== url) found.push({ url: otherUrl, similarity: contentSimilarity(signature, other) });
    }
  }
  return found.sort((a, b) => b.similarity - a.similarity);
}
