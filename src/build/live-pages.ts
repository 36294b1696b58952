/** Finds the live documents of an index by fingerprint, each at most once. Takes one byte per document. */
import type { OpenSegment } from '../index/mod.ts';

export class LivePages {
  readonly #segments: { segment: OpenSegment; taken: Uint8Array }[];

  constructor(segments: readonly OpenSegment[]) {
    this.#segments = segments.map((segment) => ({ segment, taken: new Uint8Array(segment.reader.docCount) }));
  }

  /**
   * Returns the importance of a document: 1 if it has no rank, 2 if its rank is average, and about one more
   * for each doubling of the rank. Returns null if the document is not live, or was taken before.
   */
  take(fingerprint: bigint): number | null {
    const place = this.#find(fingerprint);
    if (!place || place.taken[place.doc] === 1) return null;
    place.taken[place.doc] = 1;
    return importance(place);
  }

  #find(fingerprint: bigint): Place | null {
    for (const { segment, taken } of this.#segments) {
      const doc = segment.reader.findDocument(fingerprint);
      if (doc >= 0 && !segment.deletes.has(doc)) return { segment, taken, doc };
    }
    return null;
  }
}

interface Place {
  segment: OpenSegment;
  taken: Uint8Array;
  doc: number;
}

function importance({ segment, doc }: Place): number {
  return 1 + Math.log2(1 + (segment.ranks?.[doc] ?? 0));
}
