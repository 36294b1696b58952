import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Suggestion } from '../../query/mod.ts';
import type { View } from '../request-context.ts';
import { findRelated } from './related-searches.ts';
import { readSearch } from './search-state.ts';

const SUGGESTIONS: Record<string, Suggestion[]> = {
  'http client ': [{ text: 'HTTP client pool' }, { text: 'http client side', isGuess: true }],
  'client ': [
    { text: 'Client certificates' },
    { text: 'Cliente DNS' },
    { text: 'client side', isGuess: true },
  ],
  'http ': [
    { text: 'client http' },
    { text: 'http client http' },
    { text: 'HTTP caching' },
    { text: 'http protocol', isGuess: true },
  ],
};

function related(q: string, more = {}): Promise<string[]> {
  const suggest = async (prefix: string) => SUGGESTIONS[prefix] ?? [];
  return findRelated({ site: { searcher: { suggest } } } as unknown as View, readSearch({ q, ...more }, 10));
}

test('phrases of the index with a word of the query are related', async () => {
  assert.deepEqual(await related('http client'), ['HTTP client pool', 'Client certificates', 'HTTP caching']);
});

test('a likely next word continues only a query of one word', async () => {
  assert.deepEqual(await related('http'), ['client http', 'HTTP caching', 'http protocol']);
});

test('further pages and limited lists have no related searches', async () => {
  assert.deepEqual(await related('http', { page: '2' }), []);
  assert.deepEqual(await related('http', { lang: 'de' }), []);
});
