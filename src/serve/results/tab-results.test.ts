import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type PageReader, ResultDetails } from '../../answer/mod.ts';
import { DAY_MS } from '../../base/mod.ts';
import type { SearchRequest, SearchResponse } from '../../query/mod.ts';
import { plainView, testSite } from '../server-context.fixture.ts';
import { readSearch } from './search-state.ts';
import { searchTab } from './tab-results.ts';

const ARTICLE = 'https://a.example/article';
const RESULT = {
  ...{ url: ARTICLE, title: 'Tides', snippet: '', highlights: [], host: 'a.example', score: 1 },
  fetchedAt: '2026-01-01T00:00:00.000Z',
};
const product = {
  type: 'Product',
  properties: { name: ['Lamp'], 'offers.price': ['9'], 'offers.priceCurrency': ['EUR'] },
};

/**
 * Makes a view of an index with a feed and one page, which is found by the queries for which `has` returns
 * true.
 */
function viewOver(has: (query: string) => boolean) {
  const asked: SearchRequest[] = [];
  const search = async (request: SearchRequest): Promise<SearchResponse> => {
    asked.push(request);
    const { query } = request;
    const results = has(query) ? [{ ...RESULT, url: query.includes('kind:feed') ? 'feed' : ARTICLE }] : [];
    const evidence = {
      docCount: 100,
      words: [{ typed: ['tides'], docCount: 50 }],
      coverage: 1,
      inHeadings: 1,
    };
    return { query, total: results.length, tookMs: 1, partial: false, notes: [], results, evidence };
  };
  const page = { title: 'The Feed', text: '', items: [product], facts: [], fetchedAt: 0 };
  const entries = [{ url: ARTICLE, title: 'Tides', publishedAt: 7 * DAY_MS + 5 }];
  const pages: PageReader = {
    read: async (url) => ({ kind: 'page', page: { ...page, entries: url === 'feed' ? entries : [] } }),
  };
  const clock = { now: () => 0 };
  const searcher = { ...testSite().searcher, search };
  const details = new ResultDetails({ searcher, pages }, clock);
  return { asked, view: plainView(testSite({ searcher, details, clock })) };
}

const stateOf = (q: string, tab: string) => readSearch({ q, tab }, 10);

test('the News tab searches by date, with feed entries and all content words', async () => {
  const { view, asked } = viewOver(() => true);
  const { details } = await searchTab(view, stateOf('news of the tides', 'news'));
  const request = asked.find(({ order }) => order === 'newest')!;
  assert.equal(request.query, 'kind:news +news +tides');
  assert.deepEqual(request.announced, [{ url: ARTICLE, day: 7 }]);
  assert.deepEqual(details.get(ARTICLE), { paper: 'The Feed' });
});

test('if no page has all words, any of them is enough', async () => {
  const { view, asked } = viewOver((query) => !query.includes('+'));
  const { response } = await searchTab(view, stateOf('tides moon', 'news'));
  assert.equal(response.total, 1);
  assert.deepEqual(
    asked.filter(({ order }) => order).map(({ query }) => query),
    ['kind:news +tides +moon', 'kind:news +tides +moon', 'kind:news tides moon'],
  );
});

test('products have their prices', async () => {
  const { view } = viewOver(() => true);
  const { details } = await searchTab(view, stateOf('lamp', 'products'));
  assert.equal(details.get(ARTICLE)!.offer!.amount, 9);
});

test('sorted by date, any tab requires all content words', async () => {
  const { view, asked } = viewOver(() => true);
  await searchTab(view, readSearch({ q: 'the tides moon', sort: 'date' }, 10));
  assert.deepEqual(
    asked.map(({ query, order }) => [query, order]),
    [['+tides +moon', 'newest']],
  );
});

test('feeds are searched with the corrected query if there are no results as typed', async () => {
  const { view, asked } = viewOver((query) => query.includes('tides') && !query.includes('kind:news'));
  const { searcher } = view.site;
  const corrected = async (request: SearchRequest): Promise<SearchResponse> => {
    const typed = await searcher.search(request);
    if (request.announced?.length) return { ...typed, total: 1 };
    const query = request.query.replace('tieds', 'tides');
    if (typed.total > 0 || request.asTyped || query === request.query) return typed;
    const meant = await searcher.search({ ...request, query });
    return meant.total > 0 ? { ...meant, spelling: { query, automatic: true } } : typed;
  };
  const site = { ...view.site, searcher: { ...searcher, search: corrected } };
  const { response } = await searchTab({ ...view, site }, stateOf('tieds', 'news'));
  assert.equal(response.total, 1);
  assert.deepEqual(response.spelling, { query: 'tides', automatic: true });
  assert.deepEqual(asked.findLast(({ order }) => order)!.announced, [{ url: ARTICLE, day: 7 }]);
});

test('two searches are enough for a page of news about words that are not rare', async () => {
  const { view, asked } = viewOver(() => true);
  await searchTab(view, stateOf('tides moon', 'news'));
  assert.deepEqual(
    asked.map(({ query }) => query),
    ['+tides +moon kind:feed', 'kind:news +tides +moon'],
  );
});

test('if no article has all words, the All tab tells whether the query is corrected', async () => {
  const { view, asked } = viewOver((query) => !query.includes('+'));
  await searchTab(view, stateOf('tides moon', 'news'));
  assert.equal(asked[2]!.query, 'tides moon');
  const typed = viewOver((query) => !query.includes('+'));
  await searchTab(typed.view, { ...stateOf('tides moon', 'news'), asTyped: true });
  assert.ok(typed.asked.every(({ query }) => query !== 'tides moon'));
});
