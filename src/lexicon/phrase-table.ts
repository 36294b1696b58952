/**
 * Phrases in memory, sorted by key, as an implicit trie. A node is a range of phrases and a depth in bytes; the phrases
 * of the range have their first `depth` bytes in common. Descending by a byte is a binary search in the range. The root
 * is the whole table at depth 0.
 *
 * Each segment has a table, and the anchor texts have one. A phrase may be in several tables; its popularity is the sum
 * of its popularities in them.
 */
import { startOf } from './columns.ts';
import { type PhraseColumns, PhraseUse, type SegmentLexicon, USE_BITS, USE_MASK } from './segments/mod.ts';

/** The value returned after the end of a key; it is less than all bytes. */
const KEY_END = -1;
const TITLE_WEIGHT = 4;
const HEADING_WEIGHT = 1;
/** The number of the page of a phrase that is the title of no page, or of several pages. */
const NO_PAGE = -1;
const SEVERAL_PAGES = -2;

interface Phrase {
  text: string;
  /** The URL of the only page that has the phrase as its title; empty if there is none. */
  url: string;
  /** True if several pages have the phrase as their title. */
  isShared: boolean;
}

/**
 * Returns the importance of a page by its rank relative to the mean: 1 without a rank, 2 for an average rank, and about
 * one more for each doubling of the rank.
 */
export function importanceOf(rank: number): number {
  return 1 + Math.log2(1 + rank);
}

/**
 * Converts popularity to a weight. The weight of long phrases is reduced, because they are less likely to be typed.
 * `length` is that of the key, in bytes.
 */
export function phraseWeight(popularity: number, length: number): number {
  return Math.log1p(popularity) / (1 + length / 40);
}

export class PhraseTable {
  /** Weight of each phrase, if no other table had it; 0 if it is not suggested. */
  readonly weights: Float32Array;
  readonly popularity: Float32Array;
  readonly #columns: PhraseColumns;
  readonly #pages: Int32Array;
  readonly #urlOf: (page: number) => string;

  /** `pages` has the page of each phrase; `urlOf` returns its URL. */
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
    const { textEnds, texts } = this.#columns;
    const page = this.#pages[at]!;
    return {
      text: texts.toString('utf8', startOf(textEnds, at), textEnds[at]!) || this.keyAt(at).toString(),
      url: page >= 0 ? this.#urlOf(page) : '',
      isShared: page === SEVERAL_PAGES,
    };
  }

  keyAt(at: number): Buffer {
    const { keyEnds, keys } = this.#columns;
    return keys.subarray(startOf(keyEnds, at), keyEnds[at]!);
  }

  /** Returns the place of a phrase; -1 if the table does not have it. */
  find(key: Buffer): number {
    let [from, to] = [0, this.count];
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (Buffer.compare(this.keyAt(middle), key) < 0) from = middle + 1;
      else to = middle;
    }
    return from < this.count && this.keyAt(from).equals(key) ? from : -1;
  }

  /** Returns the byte of a key at `depth`, or `KEY_END`. */
  byteAt(at: number, depth: number): number {
    const { keyEnds, keys } = this.#columns;
    const position = startOf(keyEnds, at) + depth;
    return position < keyEnds[at]! ? keys[position]! : KEY_END;
  }

  /** Returns the first phrase in [low, high) whose byte at `depth` is at least `byte`. */
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
    const { keyEnds } = this.#columns;
    return keyEnds[at]! - startOf(keyEnds, at);
  }
}

/** Returns the titles and headings of the live documents of a segment. `ranks` has -1 for documents that are not live. */
export function phrasesOfSegment(lexicon: SegmentLexicon, ranks: Float32Array): PhraseTable {
  const importance = ranks.map((rank) => (rank < 0 ? 0 : importanceOf(rank)));
  const popularity = new Float32Array(lexicon.phraseCount);
  const pages = new Int32Array(lexicon.phraseCount).fill(NO_PAGE);
  for (let at = 0, use = 0; at < lexicon.phraseCount; at++) {
    for (; use < lexicon.useEnds[at]!; use++) {
      const doc = lexicon.usedBy[use]! >>> USE_BITS;
      const bits = lexicon.usedBy[use]! & USE_MASK;
      if (importance[doc] === 0) continue;
      const isTitle = (bits & PhraseUse.title) !== 0;
      const weight = isTitle ? TITLE_WEIGHT : bits & PhraseUse.heading ? HEADING_WEIGHT : 0;
      popularity[at]! += weight * importance[doc]!;
      if (isTitle) pages[at] = pages[at] === NO_PAGE || pages[at] === doc ? doc : SEVERAL_PAGES;
    }
  }
  return new PhraseTable(lexicon.phrases, popularity, pages, (doc) => lexicon.urlOf(doc));
}

/** Returns a table of phrases that are not titles. */
export function phrasesWithoutPages(columns: PhraseColumns, popularity: Float32Array): PhraseTable {
  return new PhraseTable(columns, popularity, new Int32Array(popularity.length).fill(NO_PAGE), () => '');
}
