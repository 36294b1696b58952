/**
 * The documents of a segment that have a word of the query, whichever of its alternatives they say, or of which links
 * say it.
 *
 * Each alternative is a list of its own with a weight, and adds its own score, as what links say does; the word's share
 * of the query is counted once, by the heaviest list that has the document. Places of alternatives lie in one list, as
 * if all were the same word; those of links are none of the document's.
 */
import { type DocId, NO_MORE_DOCS, type PostingsCursor } from '../index/mod.ts';
import { type Profile, termScore } from '../rank/mod.ts';
import type { SearchedSegment } from './statistics.ts';

interface WeightedList {
  cursor: PostingsCursor;
  weight: number;
}

/** Per word of the query; null where the segment does not have it. */
export function wordCursors({
  segment,
  entries,
  alternatives,
  anchors,
}: SearchedSegment): (WordCursor | null)[] {
  const { reader } = segment;
  return entries.map((entry, word) => {
    const main = entry ? [{ entry, weight: 1 }] : [];
    const lists = [...main, ...(alternatives[word] ?? [])];
    const said = anchors[word] ? segment.anchors!.postings(anchors[word]) : null;
    if (lists.length === 0 && !said) return null;
    return new WordCursor(
      lists.map(({ entry, weight }) => ({ cursor: reader.postings(entry), weight })),
      said,
    );
  });
}

export class WordCursor {
  readonly #lists: readonly WeightedList[];
  readonly #anchors: PostingsCursor | null;
  #doc: DocId = -1;

  constructor(lists: readonly WeightedList[], anchors: PostingsCursor | null) {
    this.#lists = lists;
    this.#anchors = anchors;
  }

  get doc(): DocId {
    return this.#doc;
  }

  /** The weighted frequency in what links say of the current document. */
  get anchorFrequency(): number {
    return this.#anchors?.doc === this.#doc ? this.#anchors.frequency : 0;
  }

  /** The weighted frequency in the current document, that of alternatives as far as they count, with what links say. */
  get frequency(): number {
    let sum = this.anchorFrequency;
    for (const { cursor, weight } of this.#lists) {
      if (cursor.doc === this.#doc) sum += weight * cursor.frequency;
    }
    return sum;
  }

  /** Which part of the word the current document has: the greatest weight among its lists. */
  get share(): number {
    let share = this.#anchors?.doc === this.#doc ? 1 : 0;
    for (const { cursor, weight } of this.#lists) {
      if (cursor.doc === this.#doc && weight > share) share = weight;
    }
    return share;
  }

  /** The score of the current document with what the word adds, list by list: sums of the kernel go so too. */
  addTo(score: number, profile: Profile, idf: number, relativeLength: number): number {
    let sum = score;
    for (const { cursor, weight } of this.#lists) {
      if (cursor.doc === this.#doc) sum += termScore(profile, idf * weight, cursor.frequency, relativeLength);
    }
    if (this.#anchors?.doc !== this.#doc) return sum;
    return sum + termScore(profile, idf, this.#anchors.frequency, relativeLength);
  }

  /** Goes to the first document that is not before `target`; never goes back. */
  seek(target: DocId): DocId {
    if (this.#doc >= target) return this.#doc;
    let least = this.#anchors?.seek(target) ?? NO_MORE_DOCS;
    for (const { cursor } of this.#lists) {
      const doc = cursor.seek(target);
      if (doc < least) least = doc;
    }
    this.#doc = least;
    return least;
  }

  /** The first `limit` places of the current document, ascending. */
  places(limit = Number.POSITIVE_INFINITY): number[] {
    const here = this.#lists.filter(({ cursor }) => cursor.doc === this.#doc);
    if (here.length === 1) return here[0]!.cursor.places(limit);
    const all = here.flatMap(({ cursor }) => cursor.places(limit));
    return all.sort((a, b) => a - b).slice(0, Math.min(limit, all.length));
  }
}
