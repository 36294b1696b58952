import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type Directory, openDirectory, silentLog } from '../../base/mod.ts';
import { EMPTY_MANIFEST, writeManifest } from '../../index/manifest.ts';
import { NaiveLexicon } from '../../lexicon/lexicon.fixture.ts';
import { PhraseUse, writeSegmentLexicon } from '../../lexicon/mod.ts';
import type { SearchRequest, SearchResponse } from '../searcher.ts';
import { AssistedSearcher, type RefreshingSearcher } from './assisted-searcher.ts';
import { PopularQueries } from './suggest/popular-queries.ts';

/** Returns a searcher that answers each query with the given total, or 0, and without results. */
function searcherOf(totals: Record<string, number>): RefreshingSearcher {
  const search = async ({ query }: SearchRequest): Promise<SearchResponse> => ({
    ...{ query, total: totals[query] ?? 0, tookMs: 1, partial: false, notes: [], results: [] },
  });
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

const asked = (query: string) => ({ query, offset: 0, limit: 10 });

test('suggestions follow the segments, and a damaged lexicon is reported with the command that repairs it', async (t) => {
  const directories = temporaryDirectories(t);
  const warnings: unknown[] = [];
  const log = {
    ...silentLog,
    warn: (event: string, fields?: object) => void warnings.push({ event, ...fields }),
  };
  const searcher = new AssistedSearcher(searcherOf({}), directories, log);
  const suggested = async () => (await searcher.suggest('ht', 5)).filter(({ isGuess }) => !isGuess);
  assert.deepEqual(await searcher.suggest('ht', 5), []);
  writeWords(directories, 1, 'http client');
  searcher.refresh();
  assert.deepEqual(await suggested(), [{ text: 'http client' }]);
  writeWords(directories, 2, 'http server');
  searcher.refresh();
  assert.deepEqual(await suggested(), [{ text: 'http server' }]);
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
