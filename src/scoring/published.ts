/**
 * Three published ranking designs, reproduced for comparison. Each feature is as its authors describe it. If
 * a description is ambiguous, the interpretation is stated here. A word that occurs only in the URL is not a
 * word of the text: it counts only in features that use the URL.
 *
 * **compass** = 0.45 hit + 0.20 log PageRank + 0.35 weighted frequency
 *   hit         the sum over all runs of e^(l^l), where l is the length of the run; limited so that it stays finite
 *   log PageRank  the logarithm of 1 + the rank, because an unknown page has rank 0
 *   weighted frequency  the sum over the words of TF times the increments of the tags in which they occur, times the
 *               length of the document in words; TF = 0.5 + 0.5 f / max f. Headings of unknown level (of pages that
 *               may not be quoted, whose text is not stored) count as h2
 *
 * **yase** = cosine × (1 + the IDF of the words in URL or title) × (1 + domain match) / √(length of the URL)
 * × PageRank
 *   cosine      the cosine of the TF-IDF vectors of query and document, which have the length relative to the mean as one
 *               more component
 *   domain match  1 if the host name consists of the query's words only
 *   PageRank    from 0 to 10, on a logarithmic scale up to the best page; 1 if no page has a rank
 *
 * **snippet** = TF-IDF + largest cluster + URL
 *   TF-IDF      the sum of (1 + ln f) × IDF, divided by the weight of the query
 *   cluster     the greatest share of the query in ten consecutive positions
 *   URL         1/2 × the share of the query in the URL, + 1/4 × its share in the host name, + up to 1/4 for a short path
 */
import { Field } from '../index/mod.ts';
import {
  type Evidence,
  type QueryStatistics,
  textPositions,
  urlCount,
  type WholeDocument,
  type WordEvidence,
} from './evidence.ts';
import type { Model } from './profile.ts';
import { runLengths } from './proximity.ts';

export const PUBLISHED_FEATURES = {
  compass: ['hit', 'logPageRank', 'weightedFrequency'],
  yase: ['cosine', 'matches', 'domain', 'brevity', 'pageRank'],
  snippet: ['tfIdf', 'cluster', 'url'],
} as const;

/**
 * The evidence about all words of a document that each model needs: only counts, or also the TF-IDF vector.
 */
export const WHOLE_DOCUMENT: Readonly<Record<Model, 'counts' | 'vector' | null>> = {
  linear: null,
  compass: 'counts',
  yase: 'vector',
  snippet: null,
};

/**
 * The amount that each occurrence of a word in a tag adds to the weight of the word, in the model `compass`.
 */
export const COMPASS_TAGS = {
  title: 0.3,
  h1: 0.1,
  h2: 0.08,
  h3: 0.066,
  h4: 0.04,
  h5: 0.033,
  other: 0.01,
} as const;

/** The limit of exponents. e^650 is 10^282, so the sum of thousands of runs is still finite. */
const MAX_EXPONENT = 650;
const CLUSTER_POSITIONS = 10;

export function publishedFeatures(
  model: Exclude<Model, 'linear'>,
  statistics: QueryStatistics,
  evidence: Evidence,
): number[] {
  if (model === 'compass') return compassFeatures(evidence);
  return model === 'yase' ? yaseFeatures(statistics, evidence) : snippetFeatures(statistics, evidence);
}

export function runWeight(length: number): number {
  return Math.exp(Math.min(MAX_EXPONENT, length ** length));
}

const { h1, h2, h3, h4, h5, other: OTHER } = COMPASS_TAGS;
const HEADINGS = [h1, h2, h3, h4, h5];

/**
 * Returns the weight of a word in the model `compass`: the sum of the amounts of the tags in which it occurs.
 * `levels` holds the number of occurrences in h1, h2 and so on; null if the levels are unknown.
 */
export function tagWeight(counts: ArrayLike<number>, levels: readonly number[] | null): number {
  const title = counts[Field.title]!;
  const heading = counts[Field.heading]!;
  const other = countInText(counts) - title - heading;
  const inHeadings = levels
    ? levels.reduce((sum, count, level) => sum + count * (HEADINGS[level] ?? OTHER), 0)
    : heading * h2;
  return title * COMPASS_TAGS.title + inHeadings + other * OTHER;
}

function compassFeatures(evidence: Evidence): number[] {
  const { words, rank, whole } = evidence;
  const length = whole?.length ?? evidence.length;
  const hit = runLengths(words.map((word) => (word ? textPositions(word, 0) : []))).reduce(
    (sum, one) => sum + runWeight(one),
    0,
  );
  const weighted = words.reduce((sum, word) => {
    if (!word) return sum;
    const share = countInText(word.counts) / Math.max(1, whole?.maxFrequency ?? 0);
    return sum + (0.5 + 0.5 * Math.min(1, share)) * tagWeight(word.counts, levelsOf(word, whole)) * length;
  }, 0);
  return [hit, Math.log(1 + rank), weighted];
}

function levelsOf({ term }: WordEvidence, whole: WholeDocument | null): readonly number[] | null {
  return whole?.headings ? (whole.headings.get(term) ?? []) : null;
}

function yaseFeatures(statistics: QueryStatistics, evidence: Evidence): number[] {
  const { words, whole, rank, hostFill } = evidence;
  const { rarities, idfs, meanLength } = statistics;
  const lengths = [evidence.length / meanLength, words.length / meanLength] as const;
  let product = lengths[0] * lengths[1];
  let queryNorm = lengths[1] ** 2;
  let matched = 0;
  for (const [at, word] of words.entries()) {
    queryNorm += idfs[at]! ** 2;
    if (!word) continue;
    product += countInText(word.counts) * rarities[at]! * idfs[at]!;
    if (word.counts[Field.title]! + urlCount(word) > 0) matched += rarities[at]!;
  }
  const documentNorm = Math.hypot(whole?.norm ?? 0, lengths[0]);
  const named = words.some((word) => word?.inHost) && hostFill === 1;
  const maxRank = whole?.maxRank ?? 0;
  return [
    documentNorm > 0 ? product / (documentNorm * Math.sqrt(queryNorm)) : 0,
    1 + matched,
    named ? 2 : 1,
    1 / Math.sqrt(Math.max(1, whole?.urlLength ?? 1)),
    maxRank > 0 ? (10 * Math.log(1 + rank)) / Math.log(1 + maxRank) : 1,
  ];
}

function snippetFeatures({ idfs, weight }: QueryStatistics, { words, urlDepth }: Evidence): number[] {
  const share = (of: (word: WordEvidence) => number) =>
    weight === 0 ? 0 : words.reduce((sum, word, at) => sum + (word ? idfs[at]! * of(word) : 0), 0) / weight;
  return [
    share(({ counts }) => (countInText(counts) > 0 ? 1 + Math.log(countInText(counts)) : 0)),
    largestCluster(idfs, words) / (weight || 1),
    0.5 * share((word) => (urlCount(word) > 0 ? 1 : 0)) +
      0.25 * share((word) => (word.inHost ? 1 : 0)) +
      0.25 / (1 + urlDepth),
  ];
}

/**
 * Returns the greatest total weight of words in one stretch of `CLUSTER_POSITIONS` positions. Each word
 * counts once.
 */
function largestCluster(idfs: readonly number[], words: Evidence['words']): number {
  const hits = words
    .flatMap((word, at) => Array.from(word ? textPositions(word, 0) : [], (position) => ({ position, at })))
    .sort((a, b) => a.position - b.position);
  let best = 0;
  for (const [from, first] of hits.entries()) {
    const inside = new Set<number>();
    for (let to = from; to < hits.length && hits[to]!.position < first.position + CLUSTER_POSITIONS; to++)
      inside.add(hits[to]!.at);
    const mass = [...inside].reduce((sum, at) => sum + idfs[at]!, 0);
    best = Math.max(best, mass);
  }
  return best;
}

function countInText(counts: ArrayLike<number>): number {
  let sum = 0;
  for (let field = 0; field < counts.length; field++)
    if (field !== Field.url && field !== Field.name) sum += counts[field]!;
  return sum;
}
