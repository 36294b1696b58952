/**
 * A cursor over the documents of a segment that have a word of the query: in any of its terms, in the page or
 * in anchor texts.
 *
 * Each term has its own weighted postings list and adds its own score; the anchor-text lists do the same. The
 * word's share of the query is counted once, with the weight of the heaviest list that contains the document.
 * A list may count in documents of certain languages only.
 */

import { type DocId, NO_MORE_DOCS, type PostingsCursor, type TermLists } from '../../index/mod.ts';
import { type Profile, termScore } from '../../scoring/mod.ts';
import { filterOf, type ListEntry, type SearchedSegment } from '../terms/mod.ts';

interface WeightedList {
  cursor: PostingsCursor;
  weight: number;
  /** Null if the list counts in all documents. */
  isCounted: ((doc: DocId) => boolean) | null;
}

/** Returns one cursor per word of the query; null for a word that the segment does not have. */
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

class WordCursor {
  readonly #lists: readonly WeightedList[];
  #doc: DocId = -1;

  constructor(lists: readonly WeightedList[]) {
    this.#lists = lists;
  }

  get doc(): DocId {
    return this.#doc;
  }

  /**
   * The weight with which the current document has the word: the greatest weight among the lists that contain the
   * document.
   */
  get share(): number {
    let share = 0;
    for (const list of this.#lists) if (list.weight > share && this.#isHere(list)) share = list.weight;
    return share;
  }

  /**
   * Adds the word's score for the current document to `score`, list by list: the same order of additions as
   * the kernel.
   */
  addTo(score: number, profile: Profile, idf: number, relativeLength: number): number {
    let sum = score;
    for (const list of this.#lists) {
      if (this.#isHere(list))
        sum += termScore(profile, idf * list.weight, list.cursor.frequency, relativeLength);
    }
    return sum;
  }

  /** Moves to the first document that is not before `target`; never moves backwards. */
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
