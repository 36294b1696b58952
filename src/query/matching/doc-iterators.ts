/**
 * Iterators over the documents of one segment in ascending order. A condition is built from them.
 *
 * Matching has two phases. `seek` uses postings lists only and finds candidates: it misses no match, but some
 * candidates do not match. `confirm` runs the expensive check (positions, links) on the current candidate.
 * Therefore positions are read only for documents that are in all required lists of the query.
 *
 * `doc` is -1 before the first document and `NO_MORE_DOCS` after the last. `seek` never moves backwards.
 */
import { type DocId, NO_MORE_DOCS, type PostingsCursor } from '../../index/mod.ts';
import type { Patience } from '../patience.ts';

export interface DocIterator {
  readonly doc: DocId;
  /** An estimate of the number of candidates. The part with the lowest cost leads an intersection. */
  readonly cost: number;
  /** Moves to the first candidate that is not before `target`. */
  seek(target: DocId): DocId;
  /** Returns true if the current candidate is a match. */
  confirm(): boolean;
}

export const NOTHING: DocIterator = {
  doc: NO_MORE_DOCS,
  cost: 0,
  seek: () => NO_MORE_DOCS,
  confirm: () => false,
};

/** The documents that have a term and for which `isCounted` holds; all of them if it is null. */
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

/** All documents below `docCount` for which `isMatch` holds. `isMatch` is called in `confirm` only. */
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

/** A known list of documents, ascending. */
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

/** The number of leaps of an `AllOf` between two checks of the deadline. */
const LEAPS_PER_LOOK = 1024;

/**
 * The documents that are in all parts and for which `isMatch` holds. Reports no more documents when the query is late.
 */
export class AllOf implements DocIterator {
  readonly #parts: readonly DocIterator[];
  readonly #patience: Patience;
  readonly #isMatch: () => boolean;
  #leaps = 0;

  /** `parts` must not be empty. */
  constructor(parts: readonly DocIterator[], patience: Patience, isMatch: () => boolean = () => true) {
    this.#parts = [...parts].sort((a, b) => a.cost - b.cost);
    this.#patience = patience;
    this.#isMatch = isMatch;
  }

  get doc(): DocId {
    return this.#parts[0]!.doc;
  }

  get cost(): number {
    return this.#parts[0]!.cost;
  }

  /** Moves the parts past each other until all are at the same document. */
  seek(target: DocId): DocId {
    const parts = this.#parts;
    let at = target;
    for (let agreed = 0, i = 0; agreed < parts.length; i = (i + 1) % parts.length) {
      const doc = parts[i]!.seek(at);
      if (doc === NO_MORE_DOCS || this.#isOut()) return parts[0]!.seek(NO_MORE_DOCS);
      agreed = doc === at ? agreed + 1 : 1;
      at = doc;
    }
    return at;
  }

  confirm(): boolean {
    return this.#parts.every((part) => part.confirm()) && this.#isMatch();
  }

  #isOut(): boolean {
    return ++this.#leaps % LEAPS_PER_LOOK === 0 && this.#patience.spend(LEAPS_PER_LOOK);
  }
}

/** The documents that are in at least one part. */
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
