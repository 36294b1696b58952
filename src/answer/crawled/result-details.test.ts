import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SearchRequest } from '../../query/mod.ts';
import type { OwnCrawl, ReadablePage } from './own-crawl.ts';
import { ResultDetails } from './result-details.ts';

const EMPTY: ReadablePage = { title: '', text: '', items: [], facts: [], entries: [], fetchedAt: 0 };

/** Makes a crawl in which every search returns all pages. */
function crawlOf(pages: Record<string, Partial<ReadablePage>>) {
  const asked: SearchRequest[] = [];
  const crawl: OwnCrawl = {
    searcher: {
      async search(request) {
        asked.push(request);
        const results = Object.keys(pages).map((url) => ({
          ...{ url, title: '', snippet: '', highlights: [], host: new URL(url).host, score: 1 },
          fetchedAt: '2026-01-01T00:00:00.000Z',
        }));
        return { query: request.query, total: 1, tookMs: 1, partial: false, notes: [], results };
      },
    },
    pages: {
      read: async (url) =>
        pages[url] ? { kind: 'page', page: { ...EMPTY, ...pages[url] } } : { kind: 'none' },
    },
  };
  return { crawl, asked };
}

test('an article names its publisher', async () => {
  const properties = { 'publisher.name': ['The Tide'] };
  const { crawl } = crawlOf({
    'https://a.example/1': { items: [{ type: 'NewsArticle', properties }] },
    'https://b.example/2': { items: [{ type: 'WebPage', properties }] },
  });
  const details = new ResultDetails(crawl, { now: () => 0 });
  const { found, isComplete } = await details.papers([
    'https://a.example/1',
    'https://b.example/2',
    'https://c.example/',
  ]);
  assert.deepEqual([...found], [['https://a.example/1', 'The Tide']]);
  assert.equal(isComplete, true);
});

test('entries of feeds with all content words are listed once each, newest first', async () => {
  const entry = (url: string, publishedAt?: number) => ({
    ...{ url, title: '' },
    ...(publishedAt !== undefined && { publishedAt }),
  });
  const { crawl, asked } = crawlOf({
    'https://a.example/feed': { title: 'Feed A', entries: [entry('https://a.example/1', 10)] },
    'https://b.example/feed': {
      entries: [
        entry('https://a.example/1', 5),
        entry('https://b.example/2', 20),
        entry('https://b.example/3'),
      ],
    },
  });
  const details = new ResultDetails(crawl, { now: () => 0 });
  const { found } = await details.announced('the tides of Kuroshio', {});
  assert.equal(asked[0]!.query, '+tides +kuroshio kind:feed');
  assert.deepEqual(
    [...found],
    [
      ['https://b.example/2', { paper: 'b.example', publishedAt: 20 }],
      ['https://a.example/1', { paper: 'Feed A', publishedAt: 10 }],
    ],
  );
  assert.equal((await details.announced('"!"', {})).found.size, 0);
});

test('details that would be late are omitted and reported', async () => {
  const { crawl } = crawlOf({});
  let now = 0;
  const readSlowly = async () => {
    now += 1000;
    return { kind: 'none' as const };
  };
  const slow: OwnCrawl = { ...crawl, pages: { read: readSlowly } };
  const { isComplete } = await new ResultDetails(slow, { now: () => now }).offers([
    'https://a.example/',
    'b',
  ]);
  assert.equal(isComplete, false);
});
