/**
 * Phrases in memory, sorted by key, as an implicit trie. A node is a range of phrases and a depth in bytes; the
 * phrases of the range have their first `depth` bytes in common. Descending by a byte is a binary search in the
 * range. The root is the whole table at depth 0.
 *
 * There is one table for each segment, and one for the anchor texts. A phrase may be in several tables; its
 * popularity is then the sum over these tables.
 */
import { startOf } from './columns.ts';
import {
  type PhraseColumns,
  PhraseUse,
  type SegmentLexicon,
  textAt,
  USE_BITS,
  USE_MASK,
} from './segments/mod.ts';

/**
 * The value that represents the end of a key, where bytes of keys are compared. It is less than all bytes, so
 * that a key sorts before longer keys that begin with it.
 */
const KEY_END = -1;
const TITLE_WEIGHT = 4;
const HEADING_WEIGHT = 1;
/** Marks a phrase that is not the title of exactly one page. */
const NO_PAGE = -1;
const SEVERAL_PAGES = -2;

interface Phrase {
  text: string;
  /**
   * The URL of the only page with this phrase as its title. Empty if no page or several pages have this title.
   */
  url: string;
  /** True if several pages have this phrase as their title. */
  isShared: boolean;
}

/**
 * Returns how much a page counts for the popularity of its phrases: 1 without a rank, 2 for an average rank,
 * and about one more for each doubling of the rank.
 */
export function importanceOf(rank: number): number {
  return 1 + Math.log2(1 + rank);
}

/**
 * Returns the weight by which suggestions are ordered. It grows with the popularity of the phrase. Long phrases
 * weigh less, because users are less likely to type them. `length` is the length of the key in bytes.
 */
export function phraseWeight(popularity: number, length: number): number {
  return Math.log1p(popularity) / (1 + length / 40);
}

export class PhraseTable {
  /** The weight of each phrase by its popularity in this table alone; 0 if the phrase must not be suggested. */
  readonly weights: Float32Array;
  readonly popularity: Float32Array;
  readonly #columns: PhraseColumns;
  readonly #pages: Int32Array;
  readonly #urlOf: (page: number) => string;

  /**
   * Creates a table of phrases. `pages` has the page number of each phrase; `urlOf` returns the URL of a page
   * number.
   */
  constructor(
    columns: PhraseColumns,
    popularity: Float32Array,
    pages: Int32Array,
    urlOf: (page: number) => string,
  ) {
    this.#columns = columns;
    this.popularity = popularity;
    this.#pages = pages;
    this.#urlOf = urlOf;
    this.weights = popularity.map((value, at) => phraseWeight(value, this.#lengthOf(at)));
  }

  get count(): number {
    return this.weights.length;
  }

  phrase(at: number): Phrase {
    const page = this.#pages[at]!;
    return {
      text: textAt(this.#columns.texts, at) || this.keyAt(at).toString(),
      url: page >= 0 ? this.#urlOf(page) : '',
      isShared: page === SEVERAL_PAGES,
    };
  }

  keyAt(at: number): Buffer {
    const { ends, bytes } = this.#columns.keys;
    return bytes.subarray(startOf(ends, at), ends[at]!);
  }

  /** Returns the index of the phrase with this key, or -1 if the table does not have it. */
  find(key: Buffer): number {
    let [from, to] = [0, this.count];
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (Buffer.compare(this.keyAt(middle), key) < 0) from = middle + 1;
      else to = middle;
    }
    return from < this.count && this.keyAt(from).equals(key) ? from : -1;
  }

  /** Returns the byte at `depth` of the key of phrase `at`, or `KEY_END` after the end of the key. */
  byteAt(at: number, depth: number): number {
    const { ends, bytes } = this.#columns.keys;
    const position = startOf(ends, at) + depth;
    return position < ends[at]! ? bytes[position]! : KEY_END;
  }

  /**
   * Returns the first phrase in the range [low, high) whose key has a byte of at least `byte` at the offset
   * `depth`. All keys of the range have the same bytes before that offset.
   */
  lowerBound(low: number, high: number, depth: number, byte: number): number {
    let [from, to] = [low, high];
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (this.byteAt(middle, depth) < byte) from = middle + 1;
      else to = middle;
    }
    return from;
  }

  #lengthOf(at: number): number {
    const { ends } = this.#columns.keys;
    return ends[at]! - startOf(ends, at);
  }
}

/**
 * Returns the titles and headings of the live documents of a segment as a table. `ranks` has -1 for deleted
 * documents.
 */
export function phrasesOfSegment(lexicon: SegmentLexicon, ranks: Float32Array): PhraseTable {
  const importance = ranks.map((rank) => (rank < 0 ? 0 : importanceOf(rank)));
  const popularity = new Float32Array(lexicon.phraseCount);
  const pages = new Int32Array(lexicon.phraseCount).fill(NO_PAGE);
  const { useEnds, usedBy } = lexicon.phrases;
  for (let at = 0, use = 0; at < lexicon.phraseCount; at++) {
    for (; use < useEnds[at]!; use++) {
      const doc = usedBy[use]! >>> USE_BITS;
      const bits = usedBy[use]! & USE_MASK;
      if (importance[doc] === 0) continue;
      const isTitle = (bits & PhraseUse.title) !== 0;
      const weight = isTitle ? TITLE_WEIGHT : bits & PhraseUse.heading ? HEADING_WEIGHT : 0;
      popularity[at]! += weight * importance[doc]!;
      if (isTitle) pages[at] = pages[at] === NO_PAGE || pages[at] === doc ? doc : SEVERAL_PAGES;
    }
  }
  return new PhraseTable(lexicon.phrases, popularity, pages, (doc) => lexicon.urlOf(doc));
}

/** Returns a table of phrases that are not page titles, such as anchor texts. */
export function phrasesWithoutPages(columns: PhraseColumns, popularity: Float32Array): PhraseTable {
  return new PhraseTable(columns, popularity, new Int32Array(popularity.length).fill(NO_PAGE), () => '');
}
