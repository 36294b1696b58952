/**
 * How well the ranking does on collections that it was not fitted to: weights are fitted to all collections but one, and
 * judged on that one.
 *
 *   npm run bench:relevance -- --held-out
 *
 * A profile whose weights fit the collections at hand by luck gains here where they were fitted and loses where they were
 * not. What is left of a gain on the one that was left out is what others may expect.
 */
import {
  featureNames,
  fit,
  type Measures,
  type Profile,
  type TuningQuery,
  type Weights,
} from '../../src/rank/mod.ts';
import type { BenchRow } from '../report.ts';
import type { Collection } from './collections.ts';
import { measureProfile } from './measure.ts';

interface Measured {
  collection: Collection;
  queries: TuningQuery[];
}

/** A row for each collection: as it is, and by weights that were fitted to the others. */
export function heldOutRows(collections: readonly Collection[], start: Profile): BenchRow[] {
  const names = featureNames(start.model);
  const weights = names.map((name) => start.weights[name] ?? 0);
  const options = { fixed: names.indexOf('text'), close: start.close, folds: 1 };
  const measured = collections.map((collection) => ({ collection, queries: featuresOf(collection, start) }));
  return measured.map(({ collection }) => {
    const others = measured.filter((one) => one.collection !== collection);
    const fitted = profileOf(start, names, fit(balanced(others), weights, options));
    const before = measureProfile(collection, start).mean;
    const after = measureProfile(collection, fitted).mean;
    return { name: collection.name, ...figures('as it is', before), ...figures('fitted to the others', after) };
  });
}

function featuresOf(collection: Collection, profile: Profile): TuningQuery[] {
  const searcher = collection.open(profile);
  const queries = collection.topics.map(({ id, text }) => ({
    judged: collection.qrels.get(id)!,
    candidates: searcher
      .ranking(text, profile.close)
      .map(({ url, features }) => ({ doc: collection.idOf(url), features })),
  }));
  searcher.close();
  return queries;
}

/** Each collection counts the same: the queries of small ones are repeated. */
function balanced(all: readonly Measured[]): TuningQuery[] {
  const most = Math.max(...all.map(({ queries }) => queries.length));
  return all.flatMap(({ queries }) =>
    Array.from({ length: Math.round(most / queries.length) }, () => queries).flat(),
  );
}

function profileOf(start: Profile, names: readonly string[], weights: Weights): Profile {
  return { ...start, weights: Object.fromEntries(names.map((name, at) => [name, weights[at]!])) };
}

function figures(name: string, mean: Measures): Record<string, string> {
  return { [`nDCG@10 ${name}`]: mean['nDCG@10'].toFixed(4), [`MAP ${name}`]: mean.MAP.toFixed(4) };
}
