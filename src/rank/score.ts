/**
 * The score of a document, in two stages.
 *
 *   every match        text * coordination + static
 *   the best of them   the weight of the query × the sum of (weight × feature), by the profile's model
 *
 * `text` is BM25. `coordination` is the share of the query, by rarity, that the document has; `static` is the rank by
 * links. Features need positions and titles, too dear to look up for every match. What the second stage has looked at
 * stays ahead of what it has not, so the scores of the two need not be compared.
 */
import type { Evidence, QueryStatistics } from './evidence.ts';
import { FEATURE_NAMES, featuresOf, wordScore } from './features.ts';
import type { Model, Profile } from './profile.ts';
import { PUBLISHED_FEATURES, publishedFeatures } from './published.ts';

export interface TermScore {
  term: string;
  idf: number;
  frequency: number;
  /** How many votes of an average host call the page so. */
  votes: number;
  score: number;
  /** The synonyms by which the document has it, each as far as `weight` says. */
  synonyms?: readonly { term: string; weight: number; frequency: number }[];
}

export interface FeatureShare {
  feature: string;
  value: number;
  /** 1 for a factor of a product. */
  weight: number;
  /** What it adds to the score; for a factor, what it multiplies the score by. */
  share: number;
}

/** Where a score comes from. */
export interface ScoreBreakdown {
  total: number;
  /** Whether `total` is the sum of the shares or their product. */
  is: 'sum' | 'product';
  shares: FeatureShare[];
  /** What each word adds to the feature `text`, before it is divided by the weight of the query. */
  terms: TermScore[];
}

/** The names of a model's features, in the order of their values. */
export function featureNames(model: Model): readonly string[] {
  return model === 'linear' ? FEATURE_NAMES : PUBLISHED_FEATURES[model];
}

/** The textual part of the first stage: `sum` of term scores, `mass` of the idfs that were found. */
export function textScore(sum: number, mass: number, statistics: QueryStatistics): number {
  return statistics.weight > 0 ? sum * (mass / statistics.weight) : 0;
}

/** Grows with the logarithm of the rank, from 0 for an unknown page, up to a limit. */
export function staticScore(profile: Profile, rank: number): number {
  return Math.min(profile.staticLimit, profile.staticWeight * Math.log2(1 + rank));
}

/** What the profile's model looks at, as numbers. */
export function modelFeatures(profile: Profile, statistics: QueryStatistics, evidence: Evidence): number[] {
  return profile.model === 'linear'
    ? featuresOf(profile, statistics, evidence)
    : publishedFeatures(profile.model, statistics, evidence);
}

/**
 * The score of the second stage. In our own model a share is of the query's weight, so that a feature means the same
 * for rare and for common words.
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

/** The whole score of a document, with its reasons. */
export function explainScore(
  profile: Profile,
  statistics: QueryStatistics,
  evidence: Evidence,
): ScoreBreakdown {
  const values = modelFeatures(profile, statistics, evidence);
  const product = isProduct(profile.model);
  const weights = product ? values.map(() => 1) : weightsOf(profile);
  const scale = product ? 1 : scaleOf(profile, statistics);
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
      const score = wordScore(profile, statistics, evidence, at);
      const { term, frequency, votes } = word;
      const own = { term, idf: statistics.idfs[at]!, frequency, votes, score };
      return [word.through ? { ...own, synonyms: word.through } : own];
    }),
  };
}

function scaleOf({ model }: Profile, { weight }: QueryStatistics): number {
  return model === 'linear' ? weight : 1;
}

const knownWeights = new WeakMap<Profile, readonly number[]>();

/** In the order of the features. */
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
