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
  score: number;
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

/** The score of the second stage. */
export function modelScore(
  profile: Profile,
  statistics: QueryStatistics,
  features: readonly number[],
): number {
  const shares = sharesOf(profile, statistics, features);
  return isProduct(profile.model)
    ? shares.reduce((product, share) => product * share, 1)
    : shares.reduce((sum, share) => sum + share, 0);
}

/** The whole score of a document, with its reasons. */
export function explainScore(
  profile: Profile,
  statistics: QueryStatistics,
  evidence: Evidence,
): ScoreBreakdown {
  const values = modelFeatures(profile, statistics, evidence);
  const shares = sharesOf(profile, statistics, values);
  const product = isProduct(profile.model);
  return {
    total: modelScore(profile, statistics, values),
    is: product ? 'product' : 'sum',
    shares: featureNames(profile.model).map((feature, at) => ({
      feature,
      value: values[at]!,
      weight: product ? 1 : (profile.weights[feature] ?? 0),
      share: shares[at]!,
    })),
    terms: evidence.words.flatMap((word, at) => {
      if (!word) return [];
      const score = wordScore(profile, statistics, evidence, at);
      return [{ term: word.term, idf: statistics.idfs[at]!, frequency: word.frequency, score }];
    }),
  };
}

/** In our own model a share is of the query's weight, so that a feature means the same for rare and common words. */
function sharesOf(profile: Profile, statistics: QueryStatistics, features: readonly number[]): number[] {
  if (isProduct(profile.model)) return [...features];
  const scale = profile.model === 'linear' ? statistics.weight : 1;
  const names = featureNames(profile.model);
  return features.map((value, at) => scale * (profile.weights[names[at]!] ?? 0) * value);
}

function isProduct(model: Model): boolean {
  return model === 'yase';
}
