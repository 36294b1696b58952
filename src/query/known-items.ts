/**
 * Makes test queries from the index itself. Such a query is the title of a page or the anchor text of a link to it,
 * and that page (the known item) is the only right result. So no relevance judgements are needed.
 *
 * A text that belongs to several pages is left out, because it has no single right result. Texts of more than
 * MAX_WORDS words are left out, because users do not type them.
 */
import type { Random } from '../base/mod.ts';
import { nameWords } from './terms/mod.ts';
import type { Searcher } from './searcher.ts';
import { countWords } from './terms/mod.ts';

export interface KnownItem {
  query: string;
  url: string;
  from: 'title' | 'anchor';
}

const MAX_WORDS = 12;

/** Returns at most `count` known items, chosen at random. */
export function chooseKnownItems(items: Iterable<KnownItem>, count: number, random: Random): KnownItem[] {
  const byWords = new Map<string, KnownItem[]>();
  for (const item of items) {
    const words = [...countWords(item.query).keys()];
    if (words.length === 0 || words.length > MAX_WORDS) continue;
    const key = words.join(' ');
    byWords.set(key, [...(byWords.get(key) ?? []), item]);
  }
  const single = [...byWords.values()].filter((same) => new Set(same.map(({ url }) => url)).size === 1);
  const chosen = single.map((same) => ({ item: same[0]!, at: random.next() }));
  return chosen
    .sort((a, b) => a.at - b.at)
    .slice(0, count)
    .map(({ item }) => item);
}

/**
 * Returns the mean of 1 / rank over all known items. `places` has the rank of each item from 1 on, or 0 if it was
 * not found.
 */
export function meanReciprocalRank(places: readonly number[]): number {
  const sum = places.reduce((total, place) => total + (place > 0 ? 1 / place : 0), 0);
  return places.length > 0 ? sum / places.length : 0;
}

export interface HomePages {
  hosts: number;
  /** The names of the sites whose home page is not among the first three results. */
  missed: string[];
}

/** Searches for the home page of each site by the name of the site, and reports the home pages that are not found. */
export async function findHomePages(
  searcher: Pick<Searcher, 'search'>,
  urls: readonly string[],
): Promise<HomePages> {
  const homes = urls.filter((url) => new URL(url).pathname === '/');
  const missed: string[] = [];
  for (const url of homes) {
    const query = nameWords(new URL(url).hostname).join(' ');
    const { results } = await searcher.search({ query, offset: 0, limit: 3, perHost: 2, collapse: true });
    if (!results.some((result) => result.url === url)) missed.push(query);
  }
  return { hosts: homes.length, missed };
}
