/** Finds packages of the sample web whose names share a word, in the order of the results for that word. */
import { join } from 'node:path';
import { directoryAt, silentLog, systemClock } from '../../src/base/mod.ts';
import { openLinks } from '../../src/graph/mod.ts';
import { GraphLookup } from '../../src/cli/sessions/graph-lookup.ts';
import { type LocalSearcher, openSearcher } from '../../src/query/mod.ts';
import { DEFAULT_PROFILE, type Profile } from '../../src/scoring/mod.ts';
import { canonicalize } from '../../src/url/mod.ts';

const ENOUGH_TITLES = 2000;
const LIMIT = 100;

/**
 * Two packages whose order in the results is reversed if ranks are not used, each with the number of hosts that
 * link to it.
 */
export interface Turned {
  query: string;
  above: string;
  below: string;
  usersAbove: number;
  usersBelow: number;
}

/** The default profile without the features that come from links. */
const WITHOUT_RANKS: Profile = {
  ...DEFAULT_PROFILE,
  name: 'without ranks',
  staticWeight: 0,
  weights: { ...DEFAULT_PROFILE.weights, pageRank: 0, hostRank: 0, trust: 0, noFarm: 0, independent: 0 },
};

/**
 * Finds all pairs of packages whose order depends on the ranks, for all words that several package names
 * share.
 */
export async function turnedByRanks(data: string): Promise<Turned[]> {
  const links = new GraphLookup(() => openLinks(directoryAt(join(data, 'graph'))), silentLog);
  const open = (profile: Profile) =>
    openSearcher(directoryAt(join(data, 'index')), {
      log: silentLog,
      clock: systemClock,
      links: () => links,
      profile,
    });
  const [ranked, blind] = [open(DEFAULT_PROFILE), open(WITHOUT_RANKS)];
  const usersOf = (page: string) =>
    new Set(links.linksTo(canonicalize(page)!).map((url) => new URL(url).host)).size;
  const turned: Turned[] = [];
  for (const query of sharedWords(ranked)) {
    const order = await namesakes(ranked, query);
    const without = await namesakes(blind, query);
    for (const [at, above] of order.entries()) {
      for (const below of order.slice(at + 1)) {
        if (without.indexOf(above) < without.indexOf(below)) continue;
        turned.push({ query, above, below, usersAbove: usersOf(above), usersBelow: usersOf(below) });
      }
    }
  }
  for (const one of [ranked, blind, links]) one.close();
  return turned;
}

function sharedWords(searcher: LocalSearcher): string[] {
  const hosts = new Set(searcher.titles(ENOUGH_TITLES).map(({ url }) => new URL(url).hostname));
  const counts = new Map<string, number>();
  for (const host of hosts) for (const word of nameWords(host)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].filter(([, count]) => count > 1).map(([word]) => word);
}

/** Returns the home pages of the packages whose names contain the word, best first. */
async function namesakes(searcher: LocalSearcher, word: string): Promise<string[]> {
  const { results } = await searcher.search({ query: word, offset: 0, limit: LIMIT });
  return results
    .map(({ url }) => url)
    .filter((url) => new URL(url).pathname === '/' && nameWords(new URL(url).hostname).has(word));
}

function nameWords(host: string): Set<string> {
  return new Set(host.replace(/\.localhost$/, '').split(/[-.]/));
}
