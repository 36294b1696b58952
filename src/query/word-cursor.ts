/**
 * The documents of a segment that have a word of the query, whichever of its terms they say, or of which links say it.
 *
 * Each term is a list of its own with a weight, and adds its own score, as what links say does; the word's share
 * of the query is counted once, by the heaviest list that has the document. A list may count in documents of some
 * languages only.
 */
import { type DocId, NO_MORE_DOCS, type PostingsCursor, type TermLists } from '../index/mod.ts';
import { type Profile, termScore } from '../rank/mod.ts';
import { filterOf } from './segment-stemmings.ts';
import type { ListEntry, SearchedSegment } from './statistics.ts';

interface WeightedList {
  cursor: PostingsCursor;
  weight: number;
  /** Null if it counts in all documents. */
  isCounted: ((doc: DocId) => boolean) | null;
}

/** Per word of the query; null where the segment does not have it. */
export function wordCursors({ segment, lists, anchors }: SearchedSegment): (WordCursor | null)[] {
  const open = (from: TermLists, { entry, weight, stemmings }: ListEntry): WeightedList => ({
    cursor: from.postings(entry),
    weight,
    isCounted: filterOf(segment, stemmings),
  });
  return lists.map((own, word) => {
    const said = anchors[word]!;
    if (own.length + said.length === 0) return null;
    return new WordCursor([
      ...own.map((list) => open(segment.reader, list)),
      ...said.map((list) => open(segment.anchors!, list)),
    ]);
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

  /** Which part of the word the current document has: the greatest weight among its lists. */
  get share(): number {
    let share = 0;
    for (const list of this.#lists) if (list.weight > share && this.#isHere(list)) share = list.weight;
    return share;
  }

  /** The score of the current document with what the word adds, list by list: sums of the kernel go so too. */
  addTo(score: number, profile: Profile, idf: number, relativeLength: number): number {
    let sum = score;
    for (const list of this.#lists) {
      if (this.#isHere(list))
        sum += termScore(profile, idf * list.weight, list.cursor.frequency, relativeLength);
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

  #isHere({ cursor, isCounted }: WeightedList): boolean {
    return cursor.doc === this.#doc && (isCounted?.(this.#doc) ?? true);
  }
}
