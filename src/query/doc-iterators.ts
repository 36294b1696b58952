/**
 * Documents of one segment, in ascending order: the pieces that a condition is put together from.
 *
 * An iterator looks twice. `seek` goes by lists alone and finds candidates: no match is missed, but some are none.
 * `confirm` takes the closer, dearer look (positions, links) at the candidate it stands on. So positions are
 * read only where all lists of a query agree already.
 *
 * `doc` is -1 before the first document and `NO_MORE_DOCS` after the last; `seek` never goes back.
 */
import { type DocId, NO_MORE_DOCS, type PostingsCursor } from '../index/mod.ts';

export interface DocIterator {
  readonly doc: DocId;
  /** About how many candidates there are: the rarest leads. */
  readonly cost: number;
  /** Goes to the first candidate that is not before `target`. */
  seek(target: DocId): DocId;
  /** Whether the candidate is a match. */
  confirm(): boolean;
}

/** No document at all. */
export const NOTHING: DocIterator = {
  doc: NO_MORE_DOCS,
  cost: 0,
  seek: () => NO_MORE_DOCS,
  confirm: () => false,
};

/** The documents that have a term, and for which it counts: for all if there is no `isCounted`. */
export class TermDocs implements DocIterator {
  readonly #cursor: PostingsCursor;
  readonly #isCounted: ((doc: DocId) => boolean) | null;
  readonly cost: number;

  constructor(cursor: PostingsCursor, cost: number, isCounted: ((doc: DocId) => boolean) | null = null) {
    this.#cursor = cursor;
    this.#isCounted = isCounted;
    this.cost = cost;
  }

  get doc(): DocId {
    return this.#cursor.doc;
  }

  seek(target: DocId): DocId {
    return this.#cursor.seek(target);
  }

  confirm(): boolean {
    return this.#isCounted?.(this.doc) ?? true;
  }
}

/** All documents below `docCount` for which `isMatch` holds; it is asked late. */
export class FilteredDocs implements DocIterator {
  readonly #isMatch: (doc: DocId) => boolean;
  readonly cost: number;
  #doc: DocId = -1;

  constructor(docCount: number, isMatch: (doc: DocId) => boolean) {
    this.cost = docCount;
    this.#isMatch = isMatch;
  }

  get doc(): DocId {
    return this.#doc;
  }

  seek(target: DocId): DocId {
    if (target > this.#doc) this.#doc = target < this.cost ? target : NO_MORE_DOCS;
    return this.#doc;
  }

  confirm(): boolean {
    return this.#isMatch(this.#doc);
  }
}

/** Documents that are known by number, ascending. */
export class ListedDocs implements DocIterator {
  readonly #docs: Uint32Array;
  #at = -1;

  constructor(docs: Uint32Array) {
    this.#docs = docs;
  }

  get doc(): DocId {
    return this.#at < 0 ? -1 : (this.#docs[this.#at] ?? NO_MORE_DOCS);
  }

  get cost(): number {
    return this.#docs.length;
  }

  seek(target: DocId): DocId {
    while (this.doc < target) this.#at++;
    return this.doc;
  }

  confirm(): boolean {
    return true;
  }
}

/** Documents that are in all parts, and for which `isMatch` holds. */
export class AllOf implements DocIterator {
  readonly #parts: readonly DocIterator[];
  readonly #isMatch: () => boolean;

  /** There is at least one part. */
  constructor(parts: readonly DocIterator[], isMatch: () => boolean = () => true) {
    this.#parts = [...parts].sort((a, b) => a.cost - b.cost);
    this.#isMatch = isMatch;
  }

  get doc(): DocId {
    return this.#parts[0]!.doc;
  }

  get cost(): number {
    return this.#parts[0]!.cost;
  }

  /** The parts leap over each other until they agree. */
  seek(target: DocId): DocId {
    const parts = this.#parts;
    let at = target;
    for (let agreed = 0, i = 0; agreed < parts.length; i = (i + 1) % parts.length) {
      const doc = parts[i]!.seek(at);
      if (doc === NO_MORE_DOCS) return parts[0]!.seek(NO_MORE_DOCS);
      agreed = doc === at ? agreed + 1 : 1;
      at = doc;
    }
    return at;
  }

  confirm(): boolean {
    return this.#parts.every((part) => part.confirm()) && this.#isMatch();
  }
}

/** Documents that are in any part. */
export class AnyOf implements DocIterator {
  readonly #parts: readonly DocIterator[];
  readonly cost: number;
  #doc: DocId = -1;

  constructor(parts: readonly DocIterator[]) {
    this.#parts = parts;
    this.cost = parts.reduce((sum, part) => sum + part.cost, 0);
  }

  get doc(): DocId {
    return this.#doc;
  }

  seek(target: DocId): DocId {
    let least = NO_MORE_DOCS;
    for (const part of this.#parts) {
      const doc = part.doc < target ? part.seek(target) : part.doc;
      if (doc < least) least = doc;
    }
    this.#doc = least;
    return least;
  }

  confirm(): boolean {
    return this.#parts.some((part) => part.doc === this.#doc && part.confirm());
  }
}
