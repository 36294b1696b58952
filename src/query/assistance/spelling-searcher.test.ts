import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type Directory, openDirectory, silentLog } from '../../base/mod.ts';
import { PhraseGatherer, WordCounter, writePhrases, writeVocabulary } from '../../lexicon/mod.ts';
import type { QueryEvidence, SearchRequest, SearchResponse } from '../searcher.ts';
import { AssistedSearcher, type RefreshingSearcher } from './spelling-searcher.ts';
import { PopularQueries } from './suggest/popular-queries.ts';

/**
 * Returns a searcher that reports the given totals, and 0 for other queries. All responses have no results.
 */
function searcherOf(
  totals: Record<string, number>,
  evidence: Record<string, QueryEvidence> = {},
): RefreshingSearcher {
  const search = async ({ query, offset }: SearchRequest): Promise<SearchResponse> => {
    const known = evidence[query] ? { evidence: evidence[query] } : {};
    const notes = offset > 0 ? [{ code: 'plain-words', values: { text: `${offset}` } } as const] : [];
    return { query, total: totals[query] ?? 0, tookMs: 1, partial: false, notes, results: [], ...known };
  };
  const stats = () => ({ docCount: 1, segmentCount: 1, sizeBytes: 1, generation: 1 });
  return { search, stats, refresh: () => false, close: () => undefined };
}

function temporaryDirectory(t: TestContext): Directory {
  const path = mkdtempSync(join(tmpdir(), 'gyre-assisted-'));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  return openDirectory(path);
}

function writeWords(directory: Directory, generation: number, text: string): void {
  const [counter, gatherer] = [new WordCounter(), new PhraseGatherer(10)];
  counter.add(text, 10);
  gatherer.addText(text, 1);
  writePhrases(directory, { generation, docs: 1 }, gatherer.finish());
  writeVocabulary(directory, { generation, docs: 1 }, counter.finish());
}

function assisted(
  t: TestContext,
  totals: Record<string, number>,
  evidence?: Record<string, QueryEvidence>,
): AssistedSearcher {
  const words = temporaryDirectory(t);
  writeWords(words, 1, 'http client');
  return new AssistedSearcher(searcherOf(totals, evidence), words, silentLog);
}

const asked = (query: string, rest = {}) => ({ query, offset: 0, limit: 10, ...rest });

test('a query without results is corrected automatically, and the response says so', async (t) => {
  const { query, total, spelling, tookMs } = await assisted(t, { 'http client': 7 }).search(
    asked('htpt clinet'),
  );
  assert.deepEqual(
    { query, total, spelling, tookMs },
    {
      query: 'http client',
      total: 7,
      spelling: { query: 'http client', automatic: true },
      tookMs: 2,
    },
  );
});

test('later pages of a corrected query are corrected too', async (t) => {
  const response = await assisted(t, { 'http client': 70 }).search(asked('htpt clinet', { offset: 10 }));
  assert.equal(response.spelling?.automatic, true);
});

test('a query with results is not corrected; a correction is offered on the first page', async (t) => {
  const searcher = assisted(t, { 'htpt client': 2, 'http client': 7 });
  const response = await searcher.search(asked('htpt client'));
  assert.equal(response.total, 2);
  assert.deepEqual(response.spelling, { query: 'http client', automatic: false });
  assert.equal((await searcher.search(asked('htpt client', { offset: 10 }))).spelling, undefined);
});

test('a correction beyond doubt is searched at once, on every page, unless the query is meant as typed', async (t) => {
  const word = (typed: string, docCount: number) => ({ typed: [typed], docCount });
  const searcher = assisted(
    t,
    { 'htpt client': 20, 'http client': 70 },
    {
      'htpt client': {
        docCount: 100,
        coverage: 0.5,
        inHeadings: 0,
        words: [word('htpt', 0), word('client', 20)],
      },
      'http client': {
        docCount: 100,
        coverage: 1,
        inHeadings: 0,
        words: [word('http', 60), word('client', 20)],
      },
    },
  );
  for (const offset of [0, 10]) {
    const response = await searcher.search(asked('htpt client', { offset }));
    assert.equal(response.query, 'http client');
    assert.equal(response.notes.length, offset > 0 ? 1 : 0);
    assert.deepEqual(response.spelling, { query: 'http client', automatic: true });
  }
  const typed = await searcher.search(asked('htpt client', { asTyped: true }));
  assert.deepEqual([typed.query, typed.spelling], ['htpt client', undefined]);
});

test('a query of common words is not corrected', async (t) => {
  const evidence = {
    docCount: 100,
    coverage: 1,
    inHeadings: 0,
    words: [{ typed: ['htpt', 'client'], docCount: 20 }],
  };
  const searcher = assisted(t, { 'htpt client': 20, 'http client': 70 }, { 'htpt client': evidence });
  assert.equal((await searcher.search(asked('htpt client'))).spelling, undefined);
});

test('a correction with the same results or none is not offered', async (t) => {
  for (const total of [2, 0]) {
    const searcher = assisted(t, { 'htpt client': 2, 'http client': total });
    assert.equal((await searcher.search(asked('htpt client'))).spelling, undefined, `${total} results`);
  }
});

test('asTyped turns the correction off, and correct or hopeless queries are not changed', async (t) => {
  const searcher = assisted(t, { 'http client': 7 });
  for (const request of [asked('htpt clinet', { asTyped: true }), asked('http client'), asked('htpt')]) {
    const response = await searcher.search(request);
    assert.equal(response.query, request.query);
    assert.equal(response.spelling, undefined);
  }
});

test('suggestions are reloaded with new files and kept if a file is damaged', async (t) => {
  const words = temporaryDirectory(t);
  const searcher = new AssistedSearcher(searcherOf({}), words, silentLog);
  assert.deepEqual(await searcher.suggest('ht', 5), []);
  writeWords(words, 1, 'http client');
  searcher.refresh();
  assert.deepEqual(await searcher.suggest('ht', 5), [{ text: 'http client' }]);
  writeWords(words, 2, 'http server');
  searcher.refresh();
  assert.deepEqual(await searcher.suggest('ht', 5), [{ text: 'http server' }]);
  writeFileSync(join(words.path, 'phrases.gyre'), 'GYP1 and then nothing of sense');
  searcher.refresh();
  assert.deepEqual(await searcher.suggest('ht', 5), [{ text: 'http server' }]);
});

test('queries with results are counted and suggested before phrases, at most half of the list', async (t) => {
  const words = temporaryDirectory(t);
  writeWords(words, 1, 'http client');
  const popular = new PopularQueries(words, silentLog);
  const searcher = new AssistedSearcher(searcherOf({ 'http server': 3 }), words, silentLog, popular);
  for (let time = 0; time < 5; time++) {
    await searcher.search(asked('http server'));
    await searcher.search(asked('http nothing'));
  }
  assert.deepEqual(await searcher.suggest('http', 4), [{ text: 'http server' }, { text: 'http client' }]);
});

test('a searcher that corrects queries itself is asked', async (t) => {
  const correct = async () => ({ query: 'meant', changes: [{ typed: 'typed', meant: 'meant' }] });
  const inner = { ...searcherOf({ meant: 7 }), correct };
  const searcher = new AssistedSearcher(inner, temporaryDirectory(t), silentLog);
  assert.equal((await searcher.search(asked('typed'))).query, 'meant');
});
