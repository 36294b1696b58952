import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type Directory, openDirectory, silentLog } from '../../base/mod.ts';
import { EMPTY_MANIFEST, writeManifest } from '../../index/manifest.ts';
import { NaiveLexicon } from '../../lexicon/lexicon.fixture.ts';
import { PhraseUse, writeSegmentLexicon } from '../../lexicon/mod.ts';
import type { QueryEvidence, SearchRequest, SearchResponse } from '../searcher.ts';
import { AssistedSearcher, type RefreshingSearcher } from './spelling-searcher.ts';
import { PopularQueries } from './suggest/popular-queries.ts';

/** Returns a searcher that answers each query with the given total, or 0, and without results. */
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

interface Directories {
  index: Directory;
  words: Directory;
}

function temporaryDirectories(t: TestContext): Directories {
  const path = mkdtempSync(join(tmpdir(), 'gyre-assisted-'));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  const root = openDirectory(path);
  return { index: root.directory('index'), words: root.directory('words') };
}

/** Writes the lexicon of a segment with one document, whose heading is `text`, and a manifest that names the segment. */
function writeWords({ index }: Directories, generation: number, text: string): string {
  const naive = new NaiveLexicon().add(text, 10);
  naive.urls.push('https://a.example/');
  naive.phrases.push({ key: text, text, usedBy: [PhraseUse.heading] });
  const lexicon = `seg-00000001.lex-0000000${generation}`;
  writeSegmentLexicon(index, lexicon, naive.columns());
  const sides = { deletes: null, ranks: null, anchors: null };
  const entry = { file: 'seg-00000001.seg', docs: 1, deleted: 0, ...sides, lexicon, checksum: null };
  writeManifest(index, { ...EMPTY_MANIFEST, id: 'a', generation, segments: [entry] });
  return lexicon;
}

function assisted(
  t: TestContext,
  totals: Record<string, number>,
  evidence?: Record<string, QueryEvidence>,
): AssistedSearcher {
  const directories = temporaryDirectories(t);
  writeWords(directories, 1, 'http client');
  return new AssistedSearcher(searcherOf(totals, evidence), directories, silentLog);
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

test('suggestions follow the segments, and a damaged lexicon is reported with the command that repairs it', async (t) => {
  const directories = temporaryDirectories(t);
  const warnings: unknown[] = [];
  const log = {
    ...silentLog,
    warn: (event: string, fields?: object) => void warnings.push({ event, ...fields }),
  };
  const searcher = new AssistedSearcher(searcherOf({}), directories, log);
  assert.deepEqual(await searcher.suggest('ht', 5), []);
  writeWords(directories, 1, 'http client');
  searcher.refresh();
  assert.deepEqual(await searcher.suggest('ht', 5), [{ text: 'http client' }]);
  writeWords(directories, 2, 'http server');
  searcher.refresh();
  assert.deepEqual(await searcher.suggest('ht', 5), [{ text: 'http server' }]);
  const damaged = writeWords(directories, 3, 'http proxy');
  writeFileSync(join(directories.index.path, damaged), 'GYL1 and then nothing of sense');
  searcher.refresh();
  searcher.refresh();
  assert.deepEqual(await searcher.suggest('ht', 5), []);
  assert.equal(warnings.length, 1);
  assert.match(JSON.stringify(warnings), /lex-00000003.*run gyre build --repair/);
});

test('queries with results are counted and suggested before phrases, at most half of the list', async (t) => {
  const directories = temporaryDirectories(t);
  writeWords(directories, 1, 'http client');
  const popular = new PopularQueries(directories.words, silentLog);
  const searcher = new AssistedSearcher(searcherOf({ 'http server': 3 }), directories, silentLog, popular);
  for (let time = 0; time < 5; time++) {
    await searcher.search(asked('http server'));
    await searcher.search(asked('http nothing'));
  }
  assert.deepEqual(await searcher.suggest('http', 4), [{ text: 'http server' }, { text: 'http client' }]);
});

test('a searcher that corrects queries itself is asked', async (t) => {
  const correct = async () => ({ query: 'meant', changes: [{ typed: 'typed', meant: 'meant' }] });
  const inner = { ...searcherOf({ meant: 7 }), correct };
  const searcher = new AssistedSearcher(inner, temporaryDirectories(t), silentLog);
  assert.equal((await searcher.search(asked('typed'))).query, 'meant');
});
