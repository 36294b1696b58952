/**
 * The documents of a segment that have a word of the query, whichever of its alternatives they say.
 *
 * A word with alternatives is ranked as if they were one term: their frequencies, each times its weight, add up, and
 * their places lie in one list. So ten spellings of a word are not worth ten words.
 */
import { type DocId, NO_MORE_DOCS, type PostingsCursor } from '../index/mod.ts';
import type { SearchedSegment } from './statistics.ts';

export interface WordCursor {
  readonly doc: DocId;
  /** The weighted frequency in the current document. */
  readonly frequency: number;
  seek(target: DocId): DocId;
  /** The first `limit` places of the current document, ascending. */
  places(limit?: number): number[];
}

/** Per word of the query; null where the segment does not have it. */
export function wordCursors({ segment, entries, alternatives }: SearchedSegment): (WordCursor | null)[] {
  const { reader } = segment;
  return entries.map((entry, word) => {
    const others = alternatives[word] ?? [];
    if (others.length === 0) return entry && reader.postings(entry);
    const lists = others.map((other) => ({ cursor: reader.postings(other.entry), weight: other.weight }));
    return new MergedCursor(entry ? [{ cursor: reader.postings(entry), weight: 1 }, ...lists] : lists);
  });
}

interface WeightedList {
  cursor: PostingsCursor;
  weight: number;
}

class MergedCursor implements WordCursor {
  readonly #lists: readonly WeightedList[];
  #doc: DocId = -1;

  constructor(lists: readonly WeightedList[]) {
    this.#lists = lists;
  }

  get doc(): DocId {
    return this.#doc;
  }

  get frequency(): number {
    return this.#lists.reduce(
      (sum, { cursor, weight }) => (cursor.doc === this.#doc ? sum + weight * cursor.frequency : sum),
      0,
    );
  }

  seek(target: DocId): DocId {
    let least = NO_MORE_DOCS;
    for (const { cursor } of this.#lists) least = Math.min(least, cursor.seek(target));
    this.#doc = Math.max(this.#doc, least);
    return this.#doc;
  }

  places(limit = Number.POSITIVE_INFINITY): number[] {
    const here = this.#lists.filter(({ cursor }) => cursor.doc === this.#doc);
    const all = here.flatMap(({ cursor }) => cursor.places(limit));
    return all.sort((a, b) => a - b).slice(0, Math.min(limit, all.length));
  }
}
