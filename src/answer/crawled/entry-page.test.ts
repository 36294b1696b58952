import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SearchRequest, SearchResponse } from '../../query/mod.ts';
import { ENGLISH_ANSWERS } from '../messages/answer-words.ts';
import { isNamedEntry, readSection } from './entry-page.ts';
import { sitePanel } from './site-panel.ts';

const HOME = {
  ...{ url: 'https://heron.example/', host: 'heron.example', title: 'Heron — The Heron Project 4.2' },
  isEntry: true as const,
};

test('a query names an entry page by its title, host or path', () => {
  for (const query of ['heron', 'Heron documentation', 'the heron project', 'heron.example'])
    assert.ok(isNamedEntry(query, HOME), query);
  for (const query of ['heron install', 'documentation', 'site:heron.example', '"heron"', 'grey heron'])
    assert.ok(!isNamedEntry(query, HOME), query);
  const book = { ...HOME, url: 'https://heron.example/tide-book/index.html', title: 'Introduction' };
  assert.ok(isNamedEntry('heron tide book', book));
  assert.ok(isNamedEntry('heronexample', { ...HOME, title: 'heronexample' }));
  const { isEntry: _, ...listing } = HOME;
  assert.ok(!isNamedEntry('heron', listing), 'the index says that it is not an entry page');
});

function found(...pages: [path: string, title: string][]) {
  const asked: SearchRequest[] = [];
  const search = async (request: SearchRequest): Promise<SearchResponse> => {
    asked.push(request);
    const listed = request.query.startsWith('site:')
      ? [['/', HOME.title] as const, ...pages]
      : [['/', HOME.title] as const];
    const results = listed.map(([path, title]) => ({
      ...{ url: `https://heron.example${path}`, host: HOME.host, title, snippet: '', highlights: [] },
      ...{ score: 1, fetchedAt: '2026-01-01T00:00:00.000Z' },
      ...(path === '/' && { isEntry: true as const }),
    }));
    const { query } = request;
    const facets = {
      ...{ counted: 9, sites: [], formats: [], collections: [], periods: [] },
      languages: [{ value: 'en', count: 9 }],
    };
    return { query, total: pages.length + 1, tookMs: 1, partial: false, notes: [], results, facets };
  };
  return { asked, searcher: { search } };
}

test('sections are the shallow pages in the order of the search, without the shared part of their titles', async () => {
  const { searcher, asked } = found(
    ['/deep/er/page.html', 'Too deep — The Heron Project 4.2'],
    ['/guide/start.html', 'First steps — The Heron Project 4.2'],
    ['/search.html', 'Search — The Heron Project 4.2'],
    ['/install.html', 'Installation — The Heron Project 4.2'],
    ['/guide/index.html', 'Guide — The Heron Project 4.2'],
    ['/install.html?print', 'Printing — The Heron Project 4.2'],
    ['/copy.html', 'Installation — The Heron Project 4.2'],
  );
  const { pages, pageCount } = await readSection(searcher, HOME);
  assert.deepEqual(
    pages.map(({ title }) => title),
    ['Installation', 'Guide', 'First steps'],
  );
  assert.equal(pageCount, 8);
  assert.equal(asked[0]!.query, 'site:heron.example');
  await readSection(searcher, { ...HOME, url: 'https://heron.example/guide/index.html' });
  assert.equal(asked[1]!.query, 'site:heron.example/guide');
});

test('the panel of a site has its description, the number of its pages and their languages', async () => {
  const { searcher } = found(['/install.html', 'Installation']);
  const page = { title: HOME.title, text: '', items: [], facts: [], entries: [], fetchedAt: 0 };
  const read = async () => ({ kind: 'page' as const, page: { ...page, description: 'Herons, counted.' } });
  const context = { now: 0, words: ENGLISH_ANSWERS };
  const box = sitePanel({ searcher, pages: { read } });
  const answer = await box.answer('heron', context, AbortSignal.timeout(1000));
  assert.equal(answer!.title, 'Heron');
  assert.equal(answer!.text, 'Herons, counted.');
  assert.deepEqual(answer!.facts, [
    { name: 'Pages in this index', value: '2' },
    { name: 'Languages', value: 'English' },
  ]);
  assert.equal(answer!.source.url, HOME.url);
  assert.equal(await box.answer('grey heron', context, AbortSignal.timeout(1000)), null);
});
