/**
 * Opens the searcher over the local index, with all its parts, for every caller that searches in this process
 * or thread.
 */
import { type Log, systemClock } from '../../base/mod.ts';
import {
  type Correction,
  openSearcher,
  QueryCorrector,
  type RefreshingSearcher,
  SynonymsFollower,
} from '../../query/mod.ts';
import type { DataDirectory } from '../data-directory.ts';
import { chooseProfile } from '../profile-choice.ts';
import type { Config } from '../settings/mod.ts';
import { readSynonymRules } from '../synonym-rules.ts';
import { GraphLookup } from './graph-lookup.ts';

export interface LocalSearching extends RefreshingSearcher {
  correct(query: string): Promise<Correction | null>;
  /** Compiles the code of queries by running some, until `isOver` returns true. */
  warmUp(isOver: () => boolean): Promise<void>;
}

/**
 * `isHurried` is polled while a query runs: when it returns true, the query stops and returns the results so
 * far.
 */
export function openLocalSearching(
  data: DataDirectory,
  config: Config,
  log: Log,
  options: { cacheBytes: number; answerBytes: number; isHurried?: () => boolean },
): LocalSearching {
  const links = new GraphLookup(data.graph, log);
  const { timeLimitMs } = config.serve;
  const synonyms = new SynonymsFollower(data.words, readSynonymRules(config.serve.synonyms), log);
  const corrector = new QueryCorrector(data.words, log);
  const searcher = openSearcher(data.index, {
    log,
    clock: systemClock,
    timeLimitMs,
    links: () => links,
    synonyms: () => synonyms,
    profile: chooseProfile(data.root, undefined),
    ...options,
  });
  return {
    warmUp: (isOver) => searcher.warmUp(isOver),
    search: (request) => searcher.search(request),
    explain: (query, url, request) => searcher.explain(query, url, request),
    correct: async (query) => corrector.correct(query),
    stats: () => searcher.stats(),
    refresh: () => {
      if (searcher.refresh()) links.refresh();
      synonyms.refresh();
      corrector.refresh();
    },
    close: () => {
      searcher.close();
      links.close();
    },
  };
}
