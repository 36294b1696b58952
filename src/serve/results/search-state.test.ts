import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseQuery } from '../../query/language/parse.ts';
import {
  engineQuery,
  filterCount,
  readSearch,
  requiredQuery,
  searchAddress,
  typedQuery,
} from './search-state.ts';

const NOW = Date.UTC(2026, 2, 10, 12);

test('a URL is parsed to the state it was made from', () => {
  for (const address of [
    '/search?q=a',
    '/search?q=a%20%26%20b&page=3',
    '/search?q=a&tab=news&site=example.org&lang=de&period=week&type=pdf&sort=date&spelling=off&page=2',
  ]) {
    const parameters = Object.fromEntries(new URL(address, 'http://x').searchParams);
    const state = readSearch(parameters, 10);
    assert.equal(searchAddress(state, { page: state.page }), address);
  }
});

test('a change of a filter leads to the first page', () => {
  const state = readSearch({ q: 'a', page: '4' }, 10);
  assert.equal(searchAddress(state, { tab: 'documents' }), '/search?q=a&tab=documents');
});

test('filters become operators of the query language', () => {
  const state = readSearch(
    { q: 'a b', site: 'www.Example.org', lang: 'DE', period: 'week', type: 'text' },
    10,
  );
  assert.equal(engineQuery(state, NOW), 'site:example.org lang:de after:2026-03-03 filetype:txt a b');
  assert.equal(filterCount(state), 4);
  assert.equal(engineQuery(readSearch({ q: 'a' }, 10), NOW), 'a');
});

test('the tab of documents finds all their formats, or the chosen one', () => {
  assert.equal(engineQuery(readSearch({ q: 'a', tab: 'documents' }, 10), NOW), 'filetype:document a');
  const chosen = readSearch({ q: 'a', tab: 'documents', type: 'docx' }, 10);
  assert.equal(engineQuery(chosen, NOW), 'filetype:docx a');
});

test('filters apply to any typed query', () => {
  const all = Array.from({ length: 80 }, (_, at) => `word${at}`).join(' ');
  for (const q of [
    '"a b',
    'a OR',
    'a NOT',
    'a AND',
    'OR a',
    'AND OR a',
    'NEAR/3 a',
    '(a',
    'a "b" -"c',
    all,
  ]) {
    const { condition } = parseQuery(engineQuery(readSearch({ q, type: 'pdf' }, 10), NOW));
    assert.ok(condition?.kind === 'and' && condition.parts.some(({ kind }) => kind === 'type'), q);
  }
});

test('with more results per page there are fewer pages', () => {
  assert.equal(readSearch({ q: 'a', page: '20' }, 50).page, 20);
  assert.equal(readSearch({ q: 'a', page: '21' }, 50).page, 20);
  assert.throws(() => readSearch({ q: 'a', page: '0' }, 50), /from 1 to 20/);
});

test('content words are required, and a query with operators is not changed', () => {
  const required = (q: string) => requiredQuery(readSearch({ q, tab: 'news' }, 10), NOW);
  assert.equal(required('the state of Node.js'), 'kind:news +state +node +js');
  assert.equal(required('The Who'), 'kind:news +the +who');
  for (const q of ['"the tide"', 'tide -moon', 'tide OR moon', 'site:a.example', 'c++'])
    assert.equal(required(q), `kind:news ${q}`);
});

test('a corrected query is shown as it would have been typed', () => {
  const typed = (q: string, corrected: string, tab = 'news') =>
    typedQuery(corrected, readSearch({ q, tab }, 10), NOW);
  assert.equal(typed('kuroshoi tide', 'kind:news +kuroshio +tide'), 'kuroshio tide');
  assert.equal(typed('+kuroshoi', 'kind:news +kuroshio'), '+kuroshio');
  assert.equal(typed('kuroshoi', 'kuroshio', 'all'), 'kuroshio');
});
