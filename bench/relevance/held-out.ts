/**
 * Measures the ranking on collections to which its weights were not fitted: they are fitted to all collections
 * except one, and evaluated on the one that was left out.
 *
 * Overfitted weights gain on the collections to which they were fitted, and lose on the one that was left out.
 * The gain on the collection that was left out is the gain to expect on other data.
 */

import type { Metric } from '../../src/scoring/evaluation/metrics.ts';
import { fit, type Weights } from '../../src/scoring/evaluation/tune.ts';
import {
  featureNames,
  type Measures,
  meanOf,
  type Profile,
  type TuningQuery,
} from '../../src/scoring/mod.ts';
import type { Collection } from './collections.ts';
import { measureProfile } from './measure.ts';

export interface HeldOut {
  collection: string;
  before: Measures;
  after: Measures;
}

interface Measured {
  collection: Collection;
  queries: TuningQuery[];
}

/**
 * Measures each collection with the present weights, and with weights that were fitted to the other
 * collections.
 */
export async function holdOut(collections: readonly Collection[], start: Profile): Promise<HeldOut[]> {
  const names = featureNames(start.model);
  const weights = names.map((name) => start.weights[name] ?? 0);
  const options = { fixed: names.indexOf('text'), close: start.close, folds: 1 };
  const measured: Measured[] = [];
  for (const collection of collections)
    measured.push({ collection, queries: await featuresOf(collection, start) });
  const heldOut: HeldOut[] = [];
  for (const { collection } of measured) {
    const others = measured.filter((one) => one.collection !== collection);
    const fitted = profileOf(start, names, fit(balanced(others), weights, options));
    const { mean: before } = await measureProfile(collection, start);
    const { mean: after } = await measureProfile(collection, fitted);
    heldOut.push({ collection: collection.name, before, after });
  }
  return heldOut;
}

async function featuresOf(collection: Collection, profile: Profile): Promise<TuningQuery[]> {
  const searcher = collection.open(profile);
  const queries: TuningQuery[] = [];
  for (const { id, text } of collection.topics) {
    const ranking = await searcher.ranking(text, profile.close);
    const candidates = ranking.map(({ url, features }) => ({ doc: collection.idOf(url), features }));
    queries.push({ judged: collection.qrels.get(id)!, candidates });
  }
  searcher.close();
  return queries;
}

/** Gives each collection about the same influence by repeating the queries of small collections. */
function balanced(all: readonly Measured[]): TuningQuery[] {
  const most = Math.max(...all.map(({ queries }) => queries.length));
  return all.flatMap(({ queries }) =>
    Array.from({ length: Math.round(most / queries.length) }, () => queries).flat(),
  );
}

function profileOf(start: Profile, names: readonly string[], weights: Weights): Profile {
  return { ...start, weights: Object.fromEntries(names.map((name, at) => [name, weights[at]!])) };
}

/**
 * Returns the mean over collections that were left out of the fitting, divided by the mean with the present
 * weights. 1 means that fitting gains nothing. The result is empty if there are no collections.
 */
export function heldOutRatios(all: readonly HeldOut[]): Record<string, number> {
  if (all.length === 0) return {};
  const mean = (metric: Metric, when: 'before' | 'after') => meanOf(all.map((one) => one[when]))[metric];
  const ratio = (metric: Metric) => mean(metric, 'after') / mean(metric, 'before');
  return { heldOutNdcg: ratio('nDCG@10'), heldOutMap: ratio('MAP') };
}
