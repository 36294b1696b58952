/**
 * Computes the score of a document in two stages.
 *
 *   every match        text × coordination + static
 *   the best matches   the weight of the query × the sum of (weight × feature), by the model of the profile
 *
 * `text` is BM25. `coordination` is the share of the query's words, weighted by IDF, that the document has;
 * `static` depends on PageRank and is higher for start pages. Features need positions and titles, which are
 * too expensive to look up for every match. Documents that the second stage has scored stay ahead of the
 * others, so scores of the two stages are never compared.
 */
import type { Evidence, QueryStatistics } from './evidence.ts';
import { FEATURE_NAMES, featuresOf, wordScore } from './features.ts';
import type { Model, Profile } from './profile.ts';
import { PUBLISHED_FEATURES, publishedFeatures } from './published.ts';
import { withinSite } from './site-match.ts';

export interface TermScore {
  term: string;
  idf: number;
  frequency: number;
  /** The votes for the word in anchor texts. An average host counts 1. */
  votes: number;
  score: number;
  /** The synonyms of the word that the document has. Each counts with its `weight`. */
  synonyms?: readonly { term: string; weight: number; frequency: number }[];
}

export interface FeatureShare {
  feature: string;
  value: number;
  /** The weight of the feature if the score is a sum; 1 if the score is a product. */
  weight: number;
  /**
   * The amount that the feature adds to the score if the score is a sum; the factor of the feature if the score
   * is a product.
   */
  share: number;
}

export interface ScoreBreakdown {
  total: number;
  /** `sum` if `total` is the sum of the features' shares, `product` if it is their product. */
  is: 'sum' | 'product';
  shares: FeatureShare[];
  /**
   * For each word, the score that it adds to the feature `text`, before division by the weight of the query.
   */
  terms: TermScore[];
  /** True if the document has none of the words and was found by its meaning. */
  byMeaning?: true;
}

/**
 * Returns true if the document has no words of the query except function words, so that only its meaning
 * matches.
 */
export function isByMeaning({ isFunction }: QueryStatistics, { similarity, words }: Evidence): boolean {
  return typeof similarity === 'number' && words.every((word, at) => word === null || isFunction[at]);
}

/** Returns the names of a model's features, in the order of their values. */
export function featureNames(model: Model): readonly string[] {
  return model === 'linear' ? FEATURE_NAMES : PUBLISHED_FEATURES[model];
}

const EXACT_AT = FEATURE_NAMES.indexOf('exact');

/** Returns the value of the feature `exact`; 0 if it was not computed. */
export function exactnessOf({ model }: Profile, features: readonly number[]): number {
  return model === 'linear' ? (features[EXACT_AT] ?? 0) : 0;
}

/**
 * Returns the text score of the first stage, before PageRank is added. `sum` is the sum of the term scores,
 * `mass` the sum of the IDFs of the words that the document has.
 */
export function textScore(sum: number, mass: number, statistics: QueryStatistics): number {
  return statistics.weight > 0 ? sum * (mass / statistics.weight) : 0;
}

/**
 * The PageRank of a home page is doubled this many times, and the PageRank of a start page one level down half
 * as many times. Without this, the home page of a large site would not be among the candidates for the name of
 * the site, because the title of every page has that name.
 */
const START_PAGE_DOUBLINGS = 5;

/** Returns the static score of the first stage. It grows with the logarithm of the PageRank up to a limit. */
export function staticScore(profile: Profile, rank: number, isEntry: boolean, urlDepth: number): number {
  const { staticWeight, staticLimit } = profile;
  const start = isEntry ? (staticWeight * START_PAGE_DOUBLINGS) / (1 + urlDepth) : 0;
  return Math.min(staticLimit, staticWeight * Math.log2(1 + rank)) + start;
}

export function modelFeatures(profile: Profile, statistics: QueryStatistics, evidence: Evidence): number[] {
  return profile.model === 'linear'
    ? featuresOf(profile, statistics, evidence)
    : publishedFeatures(profile.model, statistics, evidence);
}

/**
 * Returns the score of the second stage. In the linear model, the sum of the features is multiplied by the
 * weight of the query. Therefore a feature has the same effect for queries of rare and of common words.
 */
export function modelScore(
  profile: Profile,
  statistics: QueryStatistics,
  features: readonly number[],
): number {
  if (isProduct(profile.model)) return features.reduce((product, factor) => product * factor, 1);
  const weights = weightsOf(profile);
  let sum = 0;
  for (let at = 0; at < features.length; at++) sum += weights[at]! * features[at]!;
  return scaleOf(profile, statistics) * sum;
}

/** Returns the score of a document with the contribution of each feature. */
export function explainScore(
  profile: Profile,
  statistics: QueryStatistics,
  evidence: Evidence,
): ScoreBreakdown {
  const values = modelFeatures(profile, statistics, evidence);
  const product = isProduct(profile.model);
  const weights = product ? values.map(() => 1) : weightsOf(profile);
  const scale = product ? 1 : scaleOf(profile, statistics);
  const onSite = withinSite(statistics, evidence.words);
  return {
    total: modelScore(profile, statistics, values),
    is: product ? 'product' : 'sum',
    shares: featureNames(profile.model).map((feature, at) => ({
      feature,
      value: values[at]!,
      weight: weights[at]!,
      share: scale * weights[at]! * values[at]!,
    })),
    terms: evidence.words.flatMap((word, at) => {
      if (!word) return [];
      const score = wordScore(profile, onSite, evidence, at);
      const { term, frequency, votes } = word;
      const own = { term, idf: onSite.idfs[at]!, frequency, votes, score };
      return [word.through ? { ...own, synonyms: word.through } : own];
    }),
    ...(isByMeaning(statistics, evidence) && { byMeaning: true as const }),
  };
}

function scaleOf({ model }: Profile, { weight }: QueryStatistics): number {
  return model === 'linear' ? weight : 1;
}

const knownWeights = new WeakMap<Profile, readonly number[]>();

function weightsOf(profile: Profile): readonly number[] {
  const known = knownWeights.get(profile);
  if (known) return known;
  const weights = featureNames(profile.model).map((name) => profile.weights[name] ?? 0);
  knownWeights.set(profile, weights);
  return weights;
}

function isProduct(model: Model): boolean {
  return model === 'yase';
}
