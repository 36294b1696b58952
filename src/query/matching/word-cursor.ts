/**
 * A cursor over the documents of a segment that have a word of the query, in their text or in anchor texts.
 *
 * A word has several postings lists: one for each of its terms, in texts and in anchor texts. Each list has a
 * weight, and the scores of all lists that contain the document are added up. The coverage of the word
 * (`share`) is not added up: it is the greatest weight among these lists. Some lists are used only for
 * documents in certain languages.
 */

import { type DocId, NO_MORE_DOCS, type PostingsCursor, type TermLists } from '../../index/mod.ts';
import { type Profile, termScore } from '../../scoring/mod.ts';
import { filterOf, type ListEntry, type SearchedSegment } from '../terms/mod.ts';

interface WeightedList {
  cursor: PostingsCursor;
  weight: number;
  /**
   * Returns true for a document for which the list is used. The function is null if the list is used for all
   * documents.
   */
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
   * The greatest weight among the word's postings lists that contain the current document. It is 1 if the document
   * has the word itself, and less for a synonym.
   */
  get share(): number {
    let share = 0;
    for (const list of this.#lists) if (list.weight > share && this.#isHere(list)) share = list.weight;
    return share;
  }

  /**
   * Adds the word's score for the current document to `score`. Adds list by list, in the same order as the search
   * kernel, so that rounding is the same.
   */
  addTo(score: number, profile: Profile, idf: number, relativeLength: number): number {
    let sum = score;
    for (const list of this.#lists) {
      if (this.#isHere(list))
        sum += termScore(profile, idf * list.weight, list.cursor.frequency, relativeLength);
    }
    return sum;
  }

  /** Moves to the first document whose number is at least `target`; never moves backwards. */
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
