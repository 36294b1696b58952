/**
 * Opens the searcher over the local index, with all its parts, for every caller that searches in this process
 * or thread.
 */
import { type Log, systemClock } from '../../base/mod.ts';
import { openSearcher, type RefreshingSearcher, SynonymsFollower } from '../../query/mod.ts';
import type { DataDirectory } from '../data-directory.ts';
import { chooseProfile } from '../profile-choice.ts';
import type { Config } from '../settings/mod.ts';
import { readSynonymRules } from '../synonym-rules.ts';
import { GraphLookup } from './graph-lookup.ts';

/**
 * `isHurried` is polled while a query runs: when it returns true, the query stops and returns the results so
 * far.
 */
export function openLocalSearching(
  data: DataDirectory,
  config: Config,
  log: Log,
  options: { cacheBytes: number; answerBytes: number; isHurried?: () => boolean },
): RefreshingSearcher {
  const links = new GraphLookup(data.graph, log);
  const { timeLimitMs } = config.serve;
  const synonyms = new SynonymsFollower(data.words, readSynonymRules(config.serve.synonyms), log);
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
    search: (request) => searcher.search(request),
    explain: (query, url, arrival) => searcher.explain(query, url, arrival),
    stats: () => searcher.stats(),
    refresh: () => {
      if (searcher.refresh()) links.refresh();
      synonyms.refresh();
    },
    close: () => {
      searcher.close();
      links.close();
    },
  };
}
