/** What the second stage knows of a query and of one document. `query/` gathers it, the models of this room judge it. */

/** What is known of the query in the whole index, the same for all segments. */
export interface QueryStatistics {
  /** Live documents, and the mean of their lengths. */
  docCount: number;
  meanLength: number;
  /** Per word of the query: how rare it is. */
  rarities: readonly number[];
  /** Per word of the query, its weight: its rarity, times how often the query says it, less for function words. */
  idfs: readonly number[];
  /** The sum of `idfs` over the words that the index has at all. */
  weight: number;
  /** Per word, whether it only holds the others together; none is if all were. */
  isFunction: readonly boolean[];
}

/**
 * What the columns of the index tell of a document, without a look at its words. `null` wherever nobody has told: the
 * feature is then 0 for all, and changes no order.
 */
export interface DocumentEvidence {
  length: number;
  titleLength: number;
  urlDepth: number;
  /** Which share of the words in the host's name the query names. */
  hostFill: number;
  /** By links, relative to the mean; 0 if unknown. */
  rank: number;
  /** The host's rank by links, relative to the mean. */
  hostRank: number | null;
  /** How much trust reaches the host for its rank: 1 is average, 0 none. */
  trust: number | null;
  /** 0 to 1: how much the host looks like a member of a link farm. */
  farm: number | null;
  /** 0 to 1: how much those who link to the host are of one domain. */
  concentration: number | null;
  /** How much older it is than the newest document of the index. */
  ageDays: number | null;
  /** It is written in the language of the query. */
  isReadable: boolean | null;
  /** 0 to 1: how much of the page is text of its own, less for marks of spam. */
  quality: number | null;
}

export interface Evidence extends DocumentEvidence {
  /** How well the words that the best documents lent are found in this one; see feedback in profile.ts. */
  lent: number | null;
  /** Per word of the query, in its order; null where the document does not have it. */
  words: readonly (WordEvidence | null)[];
  /** What only the published designs ask for, as it is dear to find out. */
  whole: WholeDocument | null;
}

export interface WordEvidence {
  term: string;
  /** Weighted by the index, in its units, with what links say. */
  frequency: number;
  /** None if only links say it. */
  positions: ArrayLike<number>;
  /** Occurrences by number of the field. */
  counts: ArrayLike<number>;
  /** 1 for the word itself, less where only something else stands for it. */
  share: number;
  /** The words of the same meaning that it is there by. */
  through?: readonly { term: string; weight: number; frequency: number }[];
  /** The host's name has the word. */
  inHost: boolean;
  /** How many votes of an average host call the document so: one for each host and text that has the word. */
  votes: number;
  /** 0 to 1: which share that is of all votes for what the document is called. */
  inAnchors: number | null;
  /** 0 to 1: the share of the occurrences in the form that was typed. */
  exact: number | null;
}

/** What takes a look at all of a document's words. */
export interface WholeDocument {
  /** Words of title and text, as far as the page may be quoted; null if it may not. */
  length: number | null;
  /** Of its most frequent word. */
  maxFrequency: number;
  /** The length of its vector of TF-IDF. */
  norm: number;
  /** Per term, how often it stands in headings of each level, h1 first; null if nobody knows the levels. */
  headings: ReadonlyMap<string, readonly number[]> | null;
  urlLength: number;
  /** Of all documents of the index. */
  maxRank: number;
}
