/**
 * The input of the second stage: evidence about a query and a document. `query/` collects the evidence, and
 * the models in this room turn it into scores.
 */
import { Field } from '../index/mod.ts';

/** Statistics of the query over the whole index. They are the same for all segments. */
export interface QueryStatistics {
  /** The number of live documents and their mean length in words. */
  docCount: number;
  meanLength: number;
  /** The IDF of each word of the query. */
  rarities: readonly number[];
  /**
   * The weight of each word of the query: its IDF times its count in the query, reduced for function words.
   */
  idfs: readonly number[];
  /** The weight of the query: the sum of `idfs` over the words that the index contains. */
  weight: number;
  /**
   * True for each word of the query that is a function word. If the query has only function words, all are
   * false.
   */
  isFunction: readonly boolean[];
  /**
   * True for each word of the query that people add to the name of a site to find its start page: "docs",
   * "manual".
   */
  isGeneric: readonly boolean[];
}

/**
 * Evidence about a document that does not depend on words, from the columns of the index. `null` means
 * unknown. A feature whose data is missing for all documents is 0 for all, and does not change the order.
 */
export interface DocumentEvidence {
  length: number;
  titleLength: number;
  /**
   * The part of the title that names the page, without the name of the site: its first position, and its number of
   * positions.
   */
  subjectStart: number;
  subjectLength: number;
  /** The number of letters and digits in the part of the title that names the page. */
  subjectSize: number;
  /** The position of the first word of the text after menus and other boilerplate. */
  contentStart: number;
  /** The number of words in the last segment of the URL's path. */
  nameLength: number;
  isEntry: boolean;
  /**
   * 1 if the URL declares the language of the text, 0 if it declares another one, 0.5 if it declares none.
   */
  urlLanguage: number;
  /**
   * True if the page lists other pages or shows source code. Such a page ranks after the pages to which it
   * belongs.
   */
  isAuxiliary: boolean;
  urlDepth: number;
  /** The share of the words in the host name that are also in the query. */
  hostFill: number;
  /** The PageRank of the page divided by the mean; 0 if unknown. */
  rank: number;
  /** The PageRank of the host divided by the mean. */
  hostRank: number | null;
  /** The `trust` signal of the host (graph/hosts), relative to its rank: 1 is average, 0 means no trust. */
  trust: number | null;
  /** The similarity of the host to members of link farms, from 0 to 1. */
  farm: number | null;
  /** The degree to which the links to the host come from a single domain, from 0 to 1. */
  concentration: number | null;
  /** The age of the document in days, relative to the newest document of the index. */
  ageDays: number | null;
  /** True if the document is in the language of the query. */
  isReadable: boolean | null;
  /** The share of the page that is original text, from 0 to 1, lowered if the page has signs of spam. */
  quality: number | null;
}

export interface Evidence extends DocumentEvidence {
  /**
   * The similarity of the meanings of document and query, from -1 to 1. Null if the document has no vector;
   * absent if the query is not searched by its meaning.
   */
  similarity?: number | null;
  /** The share of documents with a vector, from 0 to 1, among the documents that can have a vector. */
  knownMeanings?: number;
  /** The score of the query expansion terms in this document; see `feedback` in profile.ts. */
  expansion: number | null;
  /** The evidence for each word of the query; null if the document does not have the word. */
  words: readonly (WordEvidence | null)[];
  /** Evidence for the published models only, because it is expensive to collect. */
  whole: WholeDocument | null;
}

export interface WordEvidence {
  term: string;
  /** The frequency of the word, weighted by field, in the units of the index. It includes anchor texts. */
  frequency: number;
  /** The positions of the word in the document. Empty if the word occurs only in anchor texts. */
  positions: ArrayLike<number>;
  /** The number of occurrences by field number. */
  counts: ArrayLike<number>;
  /** 1 if the document has the word of the query; less if it has only a substitute such as a synonym. */
  share: number;
  /** The substitutes of the word that occur in the document. */
  through?: readonly { term: string; weight: number; frequency: number }[];
  inHost: boolean;
  /**
   * The votes for the word in anchor texts: a host has one vote for each different anchor text with the word.
   * The vote of an average host counts 1.
   */
  votes: number;
  /**
   * The votes for anchor texts with this word as a share of all votes for anchor texts of the document, from 0
   * to 1.
   */
  inAnchors: number | null;
  /** The share of the occurrences that have exactly the typed form, from 0 to 1. */
  exact: number | null;
}

export function urlCount({ counts }: Pick<WordEvidence, 'counts'>): number {
  return counts[Field.url]! + counts[Field.name]!;
}

/**
 * Returns the positions of a word in the text from `from` on. The index appends the words of the URL after
 * the text; their positions are left out.
 */
export function textPositions(word: WordEvidence, from: number): ArrayLike<number> {
  const { positions } = word;
  const end = textEnd(word);
  const start = firstFrom(word, from);
  if (start === 0 && end === positions.length) return positions;
  return positions instanceof Uint32Array
    ? positions.subarray(start, Math.max(start, end))
    : Array.from(positions).slice(start, Math.max(start, end));
}

/**
 * Returns the number of positions of a word in the text. The positions in the URL follow them and are not
 * counted.
 */
export function textEnd(word: WordEvidence): number {
  return word.positions.length - Math.ceil(urlCount(word));
}

/**
 * Returns the index of the first position in the text that is at least `from`, or `textEnd` if there is none.
 */
export function firstFrom(word: WordEvidence, from: number): number {
  const { positions } = word;
  const end = textEnd(word);
  let start = 0;
  while (start < end && positions[start]! < from) start++;
  return start;
}

/** Evidence that needs all words of a document. */
export interface WholeDocument {
  /**
   * The number of words of title and text. Null if the page may not be quoted, because the text of such a
   * page is not stored.
   */
  length: number | null;
  maxFrequency: number;
  /** The length of the TF-IDF vector of the document. */
  norm: number;
  /** The number of occurrences of each term in headings, by level from h1; null if the levels are unknown. */
  headings: ReadonlyMap<string, readonly number[]> | null;
  urlLength: number;
  /** The greatest PageRank of all documents of the index. */
  maxRank: number;
}
