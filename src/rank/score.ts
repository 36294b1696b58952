/**
 * The score of a document, in two stages.
 *
 *   every match        text * coordination + static
 *   the best of them   + proximity + order + title + host + shallow
 *
 * `text` is BM25. `coordination` is the share of the query, by rarity, that the document has: a document
 * with all words is preferred to one with more of a single word, and a missing "the" costs next to nothing.
 * `static` is the rank by links. The bonuses of the second stage need positions and titles, too dear to look
 * up for every match; see profile.ts for their weights.
 */
import { termScore } from './bm25.ts';
import type { Profile } from './profile.ts';
import { longestRun, smallestWindow } from './proximity.ts';

/** What is known of the query in the whole index, the same for all segments. */
export interface QueryStatistics {
  /** Live documents, and the mean of their lengths. */
  docCount: number;
  meanLength: number;
  /** Per word of the query. */
  idfs: readonly number[];
  /** The sum of `idfs` over the words that the index has at all. */
  weight: number;
}

/** What is known of one document. */
export interface Evidence {
  length: number;
  titleLength: number;
  urlDepth: number;
  /** Which share of the words in the host's name the query names. */
  hostFill: number;
  /** By links, relative to the mean; 0 if unknown. */
  rank: number;
  /** Per word of the query, in its order; null where the document does not have it. */
  words: readonly (WordEvidence | null)[];
}

export interface WordEvidence {
  term: string;
  /** Weighted, in the units of the index. */
  frequency: number;
  positions: readonly number[];
  /** Occurrences in the title. */
  inTitle: number;
  /** The host's name has the word. */
  inHost: boolean;
}

export interface TermScore {
  term: string;
  idf: number;
  frequency: number;
  score: number;
}

/** Where a score comes from; `total` = text * coordination + all the others. */
export interface ScoreBreakdown {
  total: number;
  terms: TermScore[];
  text: number;
  coordination: number;
  static: number;
  proximity: number;
  order: number;
  title: number;
  host: number;
  shallow: number;
}

/** The textual part of the first stage: `sum` of term scores, `mass` of the idfs that were found. */
export function textScore(sum: number, mass: number, statistics: QueryStatistics): number {
  return statistics.weight > 0 ? sum * (mass / statistics.weight) : 0;
}

/** Grows with the logarithm of the rank, from 0 for an unknown page, up to a limit. */
export function staticScore(profile: Profile, rank: number): number {
  return Math.min(profile.staticLimit, profile.staticWeight * Math.log2(1 + rank));
}

/** The whole score of a document, with its reasons. */
export function explainScore(
  profile: Profile,
  statistics: QueryStatistics,
  evidence: Evidence,
): ScoreBreakdown {
  const terms = termScores(profile, statistics, evidence);
  const text = terms.reduce((sum, { score }) => sum + score, 0);
  const mass = terms.reduce((sum, { idf }) => sum + idf, 0);
  const { weight } = statistics;
  const parts = {
    static: staticScore(profile, evidence.rank),
    ...closeness(profile, weight, mass, evidence),
    title: profile.title * weight * titleMatch(statistics, evidence),
    host: (profile.host * weight * hostMatch(statistics, evidence)) / (1 + evidence.urlDepth) ** 2,
    shallow: profile.shallow / (1 + evidence.urlDepth),
  };
  const base = textScore(text, mass, statistics) + parts.static;
  const total = base + parts.proximity + parts.order + parts.title + parts.host + parts.shallow;
  const coordination = weight > 0 ? mass / weight : 0;
  return { total, terms, text, coordination, ...parts };
}

function termScores(profile: Profile, statistics: QueryStatistics, evidence: Evidence): TermScore[] {
  const relativeLength = evidence.length / statistics.meanLength;
  return evidence.words.flatMap((word, i) => {
    if (!word) return [];
    const idf = statistics.idfs[i]!;
    const score = termScore(profile, idf, word.frequency, relativeLength);
    return [{ term: word.term, idf, frequency: word.frequency, score }];
  });
}

/** Words side by side earn the whole bonus, words twice as far apart half of it; a single word none. */
function closeness(
  profile: Profile,
  weight: number,
  mass: number,
  evidence: Evidence,
): { proximity: number; order: number } {
  const found = evidence.words.filter((word) => word !== null).map((word) => word.positions);
  if (found.length < 2) return { proximity: 0, order: 0 };
  const window = smallestWindow(found);
  const runs = longestRun(evidence.words.map((word) => word?.positions ?? []));
  const count = evidence.words.length;
  return {
    proximity: profile.proximity * mass * (found.length / window),
    order: profile.order * weight * ((runs - 1) / (count - 1)),
  };
}

/** The share of the query in the title, less if the title is about much else. */
function titleMatch(statistics: QueryStatistics, evidence: Evidence): number {
  const occurrences = evidence.words.reduce((sum, word) => sum + (word?.inTitle ?? 0), 0);
  if (occurrences === 0) return 0;
  const fill = Math.min(1, occurrences / evidence.titleLength);
  return shareOf(statistics, evidence, (word) => word.inTitle > 0) * Math.sqrt(fill);
}

/**
 * Likewise for the name of the host. The share is squared: who types just a name wants its home page, who adds
 * other words wants something else there.
 */
function hostMatch(statistics: QueryStatistics, evidence: Evidence): number {
  return shareOf(statistics, evidence, (word) => word.inHost) ** 2 * Math.sqrt(evidence.hostFill);
}

function shareOf(
  statistics: QueryStatistics,
  evidence: Evidence,
  has: (word: WordEvidence) => boolean,
): number {
  if (statistics.weight === 0) return 0;
  let mass = 0;
  for (const [i, word] of evidence.words.entries()) if (word && has(word)) mass += statistics.idfs[i]!;
  return mass / statistics.weight;
}
