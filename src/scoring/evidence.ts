/**
 * The input of the second stage: facts about a query and a document. `query/` collects them, the models here
 * score them.
 */
import { Field } from '../index/mod.ts';

/** Statistics of the query over the whole index, the same for all segments. */
export interface QueryStatistics {
  /** The number of live documents, and their mean length. */
  docCount: number;
  meanLength: number;
  /** Per word of the query, its IDF. */
  rarities: readonly number[];
  /** Per word of the query, its weight: IDF times its count in the query, reduced for function words. */
  idfs: readonly number[];
  /** The sum of `idfs` over the words that the index contains. */
  weight: number;
  /** Per word, true if it is a function word; all false if the query has only function words. */
  isFunction: readonly boolean[];
  /** Per word, true if people add it to the name of a site to find its start page: "docs", "manual". */
  isGeneric: readonly boolean[];
}

/**
 * Evidence about a document from the columns of the index, without its words. `null` means unknown. A feature
 * whose data is missing for all documents is 0 for all, and does not change the order.
 */
export interface DocumentEvidence {
  length: number;
  titleLength: number;
  /** The positions of the title that name the page, without the name of the site: the first one, and their number. */
  subjectStart: number;
  subjectLength: number;
  /** The position of the first word of the text outside of menus. */
  contentStart: number;
  /** The number of words of the last part of the URL's path. */
  nameLength: number;
  /** The page is the start page of a site or a directory. */
  isEntry: boolean;
  /** 1 if the URL declares the language of the text, 0 if it declares another one, else 0.5. */
  urlLanguage: number;
  /** The page lists other pages or shows source code; it ranks after the pages that it belongs to. */
  isAuxiliary: boolean;
  urlDepth: number;
  /** The share of the words in the host name that the query contains. */
  hostFill: number;
  /** The PageRank of the page relative to the mean; 0 if unknown. */
  rank: number;
  /** The PageRank of the host relative to the mean. */
  hostRank: number | null;
  /** The trust that reaches the host through links, relative to its rank: 1 is average, 0 means no trust. */
  trust: number | null;
  /** 0 to 1: the similarity of the host to members of link farms. */
  farm: number | null;
  /** 0 to 1: the degree to which the links to the host come from a single domain. */
  concentration: number | null;
  /** The number of days by which the document is older than the newest document of the index. */
  ageDays: number | null;
  /** True if the document is in the language of the query. */
  isReadable: boolean | null;
  /** 0 to 1: the share of the page that is text of its own, reduced for signs of spam. */
  quality: number | null;
}

export interface Evidence extends DocumentEvidence {
  /** From -1 to 1: how close the meaning of the document is to that of the query. */
  similarity: number | null;
  /** The score of the query expansion terms in this document; see `feedback` in profile.ts. */
  expansion: number | null;
  /** Per word of the query, in order; null if the document does not have the word. */
  words: readonly (WordEvidence | null)[];
  /** Evidence that only the published designs use, because it is expensive to compute. */
  whole: WholeDocument | null;
}

export interface WordEvidence {
  term: string;
  /** The weighted frequency in the units of the index, including anchor texts. */
  frequency: number;
  /** Empty if the word occurs only in anchor texts. */
  positions: ArrayLike<number>;
  /** Occurrences by field number. */
  counts: ArrayLike<number>;
  /** 1 for the word itself, less if the document has only a substitute such as a synonym. */
  share: number;
  /** The substitutes of the word that the document has. */
  through?: readonly { term: string; weight: number; frequency: number }[];
  /** True if the host name contains the word. */
  inHost: boolean;
  /**
   * The votes for the word in units of an average host: one vote for each host and anchor text that has the
   * word.
   */
  votes: number;
  /** 0 to 1: the share of these votes in all votes of the document's anchor texts. */
  inAnchors: number | null;
  /** 0 to 1: the share of the occurrences that are in the typed form. */
  exact: number | null;
}

/** Returns the number of occurrences in the URL. */
export function urlCount({ counts }: Pick<WordEvidence, 'counts'>): number {
  return counts[Field.url]! + counts[Field.name]!;
}

/** Returns the positions in the text from `from` on. Those in the URL come after the text. */
export function textPositions(word: WordEvidence, from: number): ArrayLike<number> {
  const { positions } = word;
  const end = positions.length - Math.ceil(urlCount(word));
  let start = 0;
  while (start < end && positions[start]! < from) start++;
  if (start === 0 && end === positions.length) return positions;
  return positions instanceof Uint32Array
    ? positions.subarray(start, Math.max(start, end))
    : Array.from(positions).slice(start, Math.max(start, end));
}

/** Evidence that needs all words of a document. */
export interface WholeDocument {
  /**
   * The number of words of title and text; null if the page may not be quoted, because then no text is
   * stored.
   */
  length: number | null;
  /** The frequency of its most frequent word. */
  maxFrequency: number;
  /** The length of its TF-IDF vector. */
  norm: number;
  /** Per term, its count in headings of each level, h1 first; null if the levels are unknown. */
  headings: ReadonlyMap<string, readonly number[]> | null;
  urlLength: number;
  /** The greatest PageRank of all documents of the index. */
  maxRank: number;
}
