/**
 * The documents of a segment that have a word of the query, whichever of its alternatives they say.
 *
 * Each alternative is a list of its own with a weight, and adds its own score; the word's share of the query is
 * counted once, by the heaviest list that has the document. Places lie in one list, as if all were the same word.
 */
import { type DocId, NO_MORE_DOCS, type PostingsCursor } from '../index/mod.ts';
import { type Profile, termScore } from '../rank/mod.ts';
import type { SearchedSegment } from './statistics.ts';

interface WeightedList {
  cursor: PostingsCursor;
  weight: number;
}

/** Per word of the query; null where the segment does not have it. */
export function wordCursors({ segment, entries, alternatives }: SearchedSegment): (WordCursor | null)[] {
  const { reader } = segment;
  return entries.map((entry, word) => {
    const main = entry ? [{ entry, weight: 1 }] : [];
    const lists = [...main, ...(alternatives[word] ?? [])];
    if (lists.length === 0) return null;
    return new WordCursor(lists.map(({ entry, weight }) => ({ cursor: reader.postings(entry), weight })));
  });
}

export class WordCursor {
  readonly #lists: readonly WeightedList[];
  #doc: DocId = -1;

  constructor(lists: readonly WeightedList[]) {
    this.#lists = lists;
  }

  get doc(): DocId {
    return this.#doc;
  }

  /** The weighted frequency in the current document, that of alternatives as far as they count. */
  get frequency(): number {
    let sum = 0;
    for (const { cursor, weight } of this.#lists) {
      if (cursor.doc === this.#doc) sum += weight * cursor.frequency;
    }
    return sum;
  }

  /** Which part of the word the current document has: the greatest weight among its lists. */
  get share(): number {
    let share = 0;
    for (const { cursor, weight } of this.#lists) {
      if (cursor.doc === this.#doc && weight > share) share = weight;
    }
    return share;
  }

  /** What the word adds to the score of the current document. */
  score(profile: Profile, idf: number, relativeLength: number): number {
    let sum = 0;
    for (const { cursor, weight } of this.#lists) {
      if (cursor.doc === this.#doc) sum += termScore(profile, idf * weight, cursor.frequency, relativeLength);
    }
    return sum;
  }

  /** Goes to the first document that is not before `target`; never goes back. */
  seek(target: DocId): DocId {
    if (this.#doc >= target) return this.#doc;
    let least = NO_MORE_DOCS;
    for (const { cursor } of this.#lists) {
      const doc = cursor.seek(target);
      if (doc < least) least = doc;
    }
    this.#doc = least;
    return least;
  }

  /** The first `limit` places of the current document, ascending. */
  places(limit = Number.POSITIVE_INFINITY): number[] {
    if (this.#lists.length === 1) return this.#lists[0]!.cursor.places(limit);
    const here = this.#lists.filter(({ cursor }) => cursor.doc === this.#doc);
    const all = here.flatMap(({ cursor }) => cursor.places(limit));
    return all.sort((a, b) => a - b).slice(0, Math.min(limit, all.length));
  }
}
