import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from '../base/mod.ts';
import { chooseKnownItems, findHomePages, type KnownItem, meanReciprocalRank } from './known-items.ts';
import type { SearchRequest, SearchResponse } from './searcher.ts';

const title = (query: string, url: string): KnownItem => ({ query, url, from: 'title' });

test('a text of several pages, of none or of too many words is not a known item', () => {
  const items = [
    title('Changelog', 'a'),
    title('changelog', 'b'),
    title('The frontier', 'c'),
    { ...title('the Frontier!', 'c'), from: 'anchor' as const },
    title('…', 'd'),
    title('one two three four five six seven eight nine ten eleven twelve thirteen', 'e'),
  ];
  assert.deepEqual(chooseKnownItems(items, 10, new Random(1)), [title('The frontier', 'c')]);
});

test('the same seed chooses the same items', () => {
  const items = Array.from({ length: 50 }, (_, at) => title(`page ${at}`, `u${at}`));
  const chosen = chooseKnownItems(items, 5, new Random(7));
  assert.equal(chosen.length, 5);
  assert.deepEqual(chooseKnownItems(items, 5, new Random(7)), chosen);
  assert.notDeepEqual(chooseKnownItems(items, 5, new Random(8)), chosen);
});

test('rank 1 counts 1, rank 3 counts a third, and a missing page counts 0', () => {
  assert.equal(meanReciprocalRank([1, 3, 0, 3]), (1 + 2 / 3) / 4);
  assert.equal(meanReciprocalRank([]), 0);
});

test('home pages are searched by the names of their sites', async () => {
  const asked: string[] = [];
  const search = async ({ query }: SearchRequest): Promise<SearchResponse> => {
    asked.push(query);
    const results = query === 'undici nodejs' ? [{ url: 'https://undici.nodejs.org/' }] : [];
    return { query, results } as unknown as SearchResponse;
  };
  const urls = ['https://undici.nodejs.org/', 'https://undici.nodejs.org/docs', 'https://www.example.org/'];
  assert.deepEqual(await findHomePages({ search }, urls), { hosts: 2, missed: ['example'] });
  assert.deepEqual(asked, ['undici nodejs', 'example']);
});
