/**
 * Iterators over the documents of one segment that meet a condition, in ascending order of document number.
 *
 * Matching has two phases. `seek` finds candidates with postings lists only: it never misses a match, but some
 * candidates do not match. `confirm` makes the expensive checks, such as positions, on the current candidate.
 * Therefore positions are read only for documents that are in all required postings lists of the query.
 *
 * `doc` is -1 before the first document and `NO_MORE_DOCS` after the last. `seek` never moves backwards.
 */
import { type DocId, NO_MORE_DOCS, type PostingsCursor } from '../../index/mod.ts';
import type { Patience } from '../patience.ts';

export interface DocIterator {
  readonly doc: DocId;
  /** An estimate of the number of candidates. In an intersection, the iterator with the lowest cost moves first. */
  readonly cost: number;
  /** Moves to the first candidate whose document number is at least `target`. */
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

/**
 * Iterates over the documents that have a term. If `isCounted` is not null, only documents for which it returns true
 * count.
 */
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

/** Iterates over the documents below `docCount` for which `isMatch` returns true. Only `confirm` calls `isMatch`. */
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

/** Iterates over a given list of documents, which must be ascending. */
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

/** The number of moves of an intersection between two checks of the deadline. */
const LEAPS_PER_LOOK = 1024;

/**
 * Iterates over the documents that all `parts` have and for which `isMatch` returns true. Ends early when the query
 * is late.
 */
export class AllOf implements DocIterator {
  readonly #parts: readonly DocIterator[];
  readonly #patience: Patience;
  readonly #isMatch: () => boolean;
  #leaps = 0;

  /** `parts` are the iterators to intersect; there must be at least one. */
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

  /** Moves all parts forward until they are at the same document. */
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

/** Iterates over the documents that at least one of the parts has. */
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
