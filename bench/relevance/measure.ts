/** One profile on one collection. */
import {
  type Measures,
  meanOf,
  measureRun,
  type Profile,
  type Run,
  type RunEntry,
} from '../../src/rank/mod.ts';
import type { Collection } from './collections.ts';

export const RUN_DEPTH = 1000;

export interface ProfileMeasures {
  collection: string;
  profile: string;
  mean: Measures;
  /** Of each query, in the same order for every profile. */
  queries: Measures[];
}

export function measureProfile(collection: Collection, profile: Profile): ProfileMeasures {
  const measured = measureRun(collection.qrels, runOf(collection, profile));
  const queries = collection.topics.map(({ id }) => measured.get(id)!);
  return { collection: collection.name, profile: profile.name, mean: meanOf(queries), queries };
}

export function runOf(collection: Collection, profile: Profile): Run {
  const searcher = collection.open(profile);
  const run = new Map<string, RunEntry[]>();
  for (const { id, text } of collection.topics)
    run.set(id, entriesOf(collection, searcher.ranking(text, RUN_DEPTH)));
  searcher.close();
  return run;
}

/** Scores of the two stages cannot be compared, so an entry's score is its place from the end. */
function entriesOf(collection: Collection, ranking: readonly { url: string }[]): RunEntry[] {
  return ranking.map(({ url }, at) => ({ doc: collection.idOf(url), score: RUN_DEPTH - at }));
}
