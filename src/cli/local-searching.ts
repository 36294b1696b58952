/** The searcher over the index on this machine, as all that search it are wired. */
import { type Log, systemClock } from '../base/mod.ts';
import { openSearcher, type RefreshingSearcher, SynonymsFollower } from '../query/mod.ts';
import type { Config } from './config.ts';
import type { DataDirectory } from './data-directory.ts';
import { GraphLookup } from './graph-lookup.ts';
import { chooseProfile } from './profile-choice.ts';
import { readSynonymRules } from './synonym-rules.ts';

/** `isHurried` is asked while a query runs: if it says so, the query answers with what it has. */
export function openLocalSearching(
  data: DataDirectory,
  config: Config,
  log: Log,
  options: { cacheBytes: number; answerBytes: number; isHurried?: () => boolean },
): RefreshingSearcher {
  const links = new GraphLookup(data.graph, log);
  const { timeLimit: timeLimitMs } = config.serve;
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
    explain: (query, url) => searcher.explain(query, url),
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
