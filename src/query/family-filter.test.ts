import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FamilyLevel } from '../index/mod.ts';
import { makeDocument } from './matching/naive.fixture.ts';
import { indexOf, open } from './searcher.fixture.ts';

const documents = [
  makeDocument('https://a.example/plain', 'word', { type: 'html' }),
  makeDocument('https://a.example/news', 'word', { type: 'html/news;adult' }),
  makeDocument('https://a.example/maybe', 'word', { type: 'html;mature' }),
  makeDocument('https://adults.example/', 'word', { type: 'html' }),
  makeDocument('https://a.example/feed', 'word', { type: 'xml/feed;adult' }),
];
const isListed = (host: string) => host === 'adults.example';

test('each level of the family filter hides more, and the response says how much', async (t) => {
  const index = await indexOf(t, documents.slice(0, 2), documents.slice(2));
  for (const usual of ['off', 'moderate', 'strict'] as const) {
    const searcher = open(index, { family: { level: usual, isListed } });
    const pages = async (family?: FamilyLevel, query = 'word') => {
      const request = { query, offset: 0, limit: 10, ...(family && { family }) };
      const { results, total, familyHidden = 0 } = await searcher.search(request);
      assert.equal(results.length, total);
      return [results.map(({ url }) => url.slice('https://a'.length)).sort(), familyHidden];
    };
    const all = ['.example/maybe', '.example/news', '.example/plain', 'dults.example/'];
    const moderate = [['.example/maybe', '.example/plain'], 2];
    const strict = [['.example/plain'], 3];
    assert.deepEqual(await pages('off'), [all, 0]);
    assert.deepEqual(await pages('moderate'), moderate);
    assert.deepEqual(await pages('strict'), strict);
    assert.deepEqual(await pages(), { off: [all, 0], moderate, strict }[usual]);
    assert.deepEqual(await pages('off', 'word kind:feed'), [['.example/feed'], 0]);
    assert.deepEqual(await pages('moderate', 'word kind:feed'), [[], 1]);
    searcher.close();
  }
});
