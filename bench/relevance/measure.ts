/** Measures one profile on one collection. */
import {
  type Measures,
  meanOf,
  measureRun,
  type Profile,
  type Run,
  type RunEntry,
} from '../../src/scoring/mod.ts';
import type { Collection } from './collections.ts';

export const RUN_DEPTH = 1000;

export interface ProfileMeasures {
  collection: string;
  profile: string;
  mean: Measures;
  /** The measures of each query, in the same order for every profile. */
  queries: Measures[];
}

export async function measureProfile(collection: Collection, profile: Profile): Promise<ProfileMeasures> {
  const measured = measureRun(collection.qrels, await runOf(collection, profile));
  const queries = collection.topics.map(({ id }) => measured.get(id)!);
  return { collection: collection.name, profile: profile.name, mean: meanOf(queries), queries };
}

export async function runOf(collection: Collection, profile: Profile): Promise<Run> {
  const searcher = collection.open(profile);
  const run = new Map<string, RunEntry[]>();
  for (const { id, text } of collection.topics)
    run.set(id, entriesOf(collection, await searcher.ranking(text, RUN_DEPTH)));
  searcher.close();
  return run;
}

/**
 * Returns the results of a query with scores for the measures. Scores of the two stages are not comparable,
 * so the score of a result is RUN_DEPTH minus its rank.
 */
function entriesOf(collection: Collection, ranking: readonly { url: string }[]): RunEntry[] {
  return ranking.map(({ url }, at) => ({ doc: collection.idOf(url), score: RUN_DEPTH - at }));
}
