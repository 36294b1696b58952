/**
 * Navigational queries made from the index itself: somebody knows a page by its title, or by what a link to it said,
 * and wants that page and no other. No judgements are needed: the right answer is known.
 *
 * A text that leads to several pages asks for none of them, and very long ones are not typed: both are left out.
 */
import type { Random } from '../base/mod.ts';
import { nameWords } from './document-evidence.ts';
import type { Searcher } from './searcher.ts';
import { countWords } from './word-use.ts';

export interface KnownItem {
  query: string;
  url: string;
  from: 'title' | 'anchor';
}

const MAX_WORDS = 12;

/** At most `count` of the items, chosen at random. */
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

/** The mean of one over the place at which each item was found; 0 for one that was not. */
export function meanReciprocalRank(places: readonly number[]): number {
  const sum = places.reduce((total, place) => total + (place > 0 ? 1 / place : 0), 0);
  return places.length > 0 ? sum / places.length : 0;
}

export interface HomePages {
  hosts: number;
  /** The names of those whose home page is not among the first three. */
  missed: string[];
}

/** Whether the home pages among these are found by the names of their sites. */
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
