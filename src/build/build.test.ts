import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testSeed } from '../../test/helpers/seed.ts';
import { CorruptError, type Directory, type Log, Random, silentLog } from '../base/mod.ts';
import type { AnchorTable, RankTable } from '../graph/mod.ts';
import { IndexReader } from '../index/mod.ts';
import { journalFiles } from '../journal/mod.ts';
import { fingerprint } from '../url/mod.ts';
import { applyRanks } from './apply-ranks.ts';
import { type BuildOptions, buildIndex } from './build.ts';
import { type BuildReport, Indexer } from './indexer.ts';
import {
  aliasRecord,
  failing,
  goneRecord,
  liveTexts,
  pageRecord,
  randomRecord,
  temporaryDirectory,
  urlOf,
  writeJournal,
} from './journal.fixture.ts';

test('pages are indexed; aliases, removed pages and noindex pages are not', async (t) => {
  const { journal, index } = directories(t);
  const robots = { index: false, follow: true, archive: true, snippet: true };
  await writeJournal(journal, [
    [pageRecord('a', 'one'), pageRecord('b', 'two'), pageRecord('c', 'three'), pageRecord('d', 'four')],
    [
      goneRecord('a'),
      aliasRecord('b', 'd'),
      pageRecord('c', 'three', { robots }),
      pageRecord('e', 'x', { robots }),
    ],
  ]);
  const report = await build(journal, index);
  assert.deepEqual(liveTexts(index), ['d: four']);
  assert.deepEqual(report, {
    files: 2,
    pages: 4,
    deleted: 0,
    segments: 1,
    merges: 0,
    docCount: 1,
    damaged: [],
    generation: 1,
    complete: true,
  });
});

test('records of a later build delete the documents of older segments', async (t) => {
  const { journal, index } = directories(t);
  await writeJournal(journal, [[pageRecord('a', 'old'), pageRecord('b', 'two'), pageRecord('c', 'three')]]);
  await build(journal, index);
  await writeJournal(journal, [[pageRecord('a', 'new'), goneRecord('b'), goneRecord('never-seen')]]);
  const report = await build(journal, index);
  assert.deepEqual(liveTexts(index), ['a: new', 'c: three']);
  assert.equal(report.deleted, 2);
  assert.equal(report.docCount, 2);
});

test('a build without new records changes nothing', async (t) => {
  const { journal, index } = directories(t);
  await writeJournal(journal, [[pageRecord('a', 'one')]]);
  const first = await build(journal, index);
  const second = await build(journal, index);
  assert.equal(second.generation, first.generation);
  assert.equal(second.files, 0);
  assert.equal((await build(temporaryDirectory(t), temporaryDirectory(t))).generation, 0);
});

test('the last record of each URL is indexed, for any order of records and any buffer size', async (t) => {
  const seed = testSeed();
  const random = new Random(seed);
  const { journal, index } = directories(t);
  const expected = new Map<string, string>();
  for (let round = 0; round < 6; round++) {
    const files = Array.from({ length: 3 }, () =>
      Array.from({ length: 25 }, () => randomRecord(random, expected)),
    );
    await writeJournal(journal, files);
    const report = await build(journal, index, { flushBytes: random.pick([1, 3000, 1e6]) });
    const texts = [...expected].map(([name, text]) => `${name}: ${text}`).sort();
    assert.deepEqual(liveTexts(index), texts, `seed ${seed}, round ${round}`);
    assert.equal(report.docCount, expected.size, `seed ${seed}, round ${round}`);
  }
});

test('documents are ordered by domain, host and path', async (t) => {
  const { journal, index } = directories(t);
  const urls = ['https://b.example/', 'https://a.b.example/z', 'https://a.example/', 'https://a.b.example/y'];
  await writeJournal(journal, [urls.map((url) => ({ ...pageRecord('x', 'text'), url: url as never }))]);
  await build(journal, index);
  const reader = new IndexReader(index, silentLog);
  const segment = reader.segments[0]!.reader;
  const order = [0, 1, 2, 3].map((doc) => segment.document(doc).url);
  assert.deepEqual(order, [
    'https://a.example/',
    'https://b.example/',
    'https://a.b.example/y',
    'https://a.b.example/z',
  ]);
  assert.deepEqual(
    [0, 2].map((doc) => segment.host(doc)),
    ['a.example', 'a.b.example'],
  );
  reader.close();
});

test('after a failure of any write, the old index is served and the next build finishes', async (t) => {
  const { journal, index } = directories(t);
  await writeJournal(journal, [Array.from({ length: 7 }, (_, n) => pageRecord(`p${n}`, `old ${n}`))]);
  await build(journal, index, { flushBytes: 1 });
  const before = liveTexts(index);
  await writeJournal(journal, [[pageRecord('p1', 'new'), goneRecord('p2'), pageRecord('q', 'more')]]);
  const after = ['p0: old 0', 'p1: new', 'p3: old 3', 'p4: old 4', 'p5: old 5', 'p6: old 6', 'q: more'];
  let failures = 0;
  for (let failAt = 1; failAt < 200; failAt++) {
    const copy = copyOf(t, index);
    const outcome = await build(journal, failing(copy, failAt)).catch((error) => error.code);
    const texts = liveTexts(copy);
    assert.ok(same(texts, before) || same(texts, after), `after failure ${failAt}: ${texts}`);
    await build(journal, copy);
    assert.deepEqual(liveTexts(copy), after, `after failure ${failAt} and another build`);
    if (outcome !== 'ENOSPC') break;
    failures++;
  }
  assert.ok(failures > 10 && failures < 190, `${failures} failures`);
});

test('an aborted build keeps its commits, and the next build continues from there', async (t) => {
  const { journal, index } = directories(t);
  const files = Array.from({ length: 10 }, (_, f) =>
    Array.from({ length: 20 }, (_, n) => pageRecord(`${f}-${n}`, 'some text '.repeat(200))),
  );
  await writeJournal(journal, files);
  const stop = new AbortController();
  let segments = 0;
  const log: Log = { ...silentLog, debug: () => ++segments === 7 && stop.abort() };
  const report = await build(journal, index, { signal: stop.signal, log, flushBytes: 1e5 });
  assert.equal(report.complete, false);
  assert.ok(report.docCount > 0 && report.docCount < 200, `${report.docCount} documents`);
  assert.equal(liveTexts(index).length, report.docCount);
  assert.equal((await build(journal, index)).docCount, 200);
  assert.equal(new Set(liveTexts(index)).size, 200);
});

test('a damaged journal file is reported, and the next files are indexed', async (t) => {
  const { journal, index } = directories(t);
  await writeJournal(journal, [
    [pageRecord('a', 'one')],
    [pageRecord('b', 'two')],
    [pageRecord('c', 'three')],
  ]);
  const broken = journal.read('00000002-main.journal');
  broken[30]! ^= 1;
  journal.replace('00000002-main.journal', broken);
  const errors: string[] = [];
  const log: Log = { ...silentLog, error: (event, fields) => errors.push(`${event} ${fields?.reason}`) };
  await build(journal, index, { log });
  assert.deepEqual(liveTexts(index), ['a: one', 'c: three']);
  assert.match(errors.join(), /damaged.*00000002-main\.journal at byte 12/);
});

test('a strict indexer stops at a damaged journal file, and continues before it when it is whole again', async (t) => {
  const { journal, index } = directories(t);
  await writeJournal(journal, [
    [pageRecord('a', 'one')],
    [pageRecord('b', 'two')],
    [pageRecord('c', 'three')],
  ]);
  const [first, second, third] = journalFiles(journal);
  const whole = journal.read(second!);
  const broken = Buffer.from(whole);
  broken[30]! ^= 1;
  journal.replace(second!, broken);
  const catchUp = async (files: readonly string[]) => {
    const indexer = new Indexer({ journal, index, log: silentLog, isStrict: true });
    try {
      await indexer.catchUp(null, files);
      return indexer.journal;
    } finally {
      await indexer.close();
    }
  };
  assert.deepEqual(await catchUp([first!]), { main: 1 });
  await assert.rejects(catchUp([second!, third!]), { code: 'corrupt-file', file: second });
  assert.deepEqual(liveTexts(index), ['a: one']);
  journal.replace(second!, whole);
  assert.deepEqual(await catchUp([second!, third!]), { main: 3 });
  assert.deepEqual(liveTexts(index), ['a: one', 'b: two', 'c: three']);
});

test('new documents get their ranks, and ranks are replaced without a build', async (t) => {
  const { journal, index } = directories(t);
  await writeJournal(journal, [[pageRecord('a', 'one'), pageRecord('b', 'two')]]);
  await build(journal, index, { ranks: ranksOf(1, { a: 0.1, x: 0.9 }) });
  assert.deepEqual(ranksIn(index), [Math.fround(0.2), 0]);
  applyRanks({ index, words: journal }, { ranks: ranksOf(2, { a: 0.25, b: 0.5, x: 0.1, y: 0.15 }) });
  assert.deepEqual(ranksIn(index), [1, 2]);
  await writeJournal(journal, [[pageRecord('c', 'three')]]);
  await build(journal, index, { ranks: null });
  assert.deepEqual(ranksIn(index), [1, 2, null]);
});

test('new documents get their anchor texts, and anchor texts are replaced without a build', async (t) => {
  const { journal, index } = directories(t);
  await writeJournal(journal, [[pageRecord('a', 'one'), pageRecord('b', 'two')]]);
  await build(journal, index, { anchors: anchorsOf({ a: 'first name', x: 'other' }) });
  assert.deepEqual(termsIn(index), ['first', 'name']);
  const segments = index.list().filter((name) => name.endsWith('.seg'));
  applyRanks({ index, words: journal }, { ranks: ranksOf(2, {}), anchors: anchorsOf({ b: 'second' }) });
  assert.deepEqual(termsIn(index), ['second']);
  assert.deepEqual(
    index.list().filter((name) => name.endsWith('.seg')),
    segments,
  );
  await writeJournal(journal, [[pageRecord('c', 'three')]]);
  await build(journal, index, { ranks: null });
  assert.deepEqual(termsIn(index), ['second'], 'a build without links keeps what is there');
  await writeJournal(journal, [[pageRecord('b', 'two, changed')]]);
  await build(journal, index, { anchors: anchorsOf({ b: 'second' }) });
  assert.deepEqual(termsIn(index), ['second'], 'a page that is fetched again keeps its names');
});

test('a damaged anchor entry affects only its document and is reported', async (t) => {
  const { journal, index } = directories(t);
  await writeJournal(journal, [[pageRecord('a', 'one'), pageRecord('b', 'two')]]);
  const warnings: string[] = [];
  const log: Log = { ...silentLog, warn: (_, fields) => warnings.push(`${fields?.advice}`) };
  const good = anchorsOf({ b: 'second' });
  const textsOf = (key: bigint) => {
    if (key === fingerprint(urlOf('a'))) throw new CorruptError('x.anchors', 9, 'a text', 'the end');
    return good.textsOf(key);
  };
  await build(journal, index, { anchors: { ...good, textsOf }, log });
  assert.deepEqual(termsIn(index), ['second']);
  assert.match(warnings.join(), /gyre rank/);
});

function directories(t: Parameters<typeof temporaryDirectory>[0]): { journal: Directory; index: Directory } {
  return { journal: temporaryDirectory(t), index: temporaryDirectory(t) };
}

function build(
  journal: Directory,
  index: Directory,
  options: Partial<BuildOptions> = {},
): Promise<BuildReport> {
  return buildIndex({ journal, index, ranks: null, log: silentLog, ...options });
}

function copyOf(t: Parameters<typeof temporaryDirectory>[0], directory: Directory): Directory {
  const copy = temporaryDirectory(t);
  for (const name of directory.list()) copy.replace(name, directory.read(name));
  return copy;
}

function same(a: readonly string[], b: readonly string[]): boolean {
  return a.join('\n') === b.join('\n');
}

function ranksOf(generation: number, ranks: Record<string, number>): RankTable {
  const table = new Map(Object.entries(ranks).map(([name, rank]) => [fingerprint(urlOf(name)), rank]));
  const rankOf = (key: bigint) => table.get(key) ?? 0;
  return { generation, count: table.size, rankOf, relativeRankOf: (key) => rankOf(key) * table.size };
}

function anchorsOf(texts: Record<string, string>): AnchorTable {
  const table = new Map(Object.entries(texts).map(([name, text]) => [fingerprint(urlOf(name)), text]));
  const textsOf = (key: bigint) => (table.has(key) ? [{ text: table.get(key)!, weight: 1 }] : []);
  return { generation: 1, count: table.size, textsOf, entries: function* () {}, close: () => {} };
}

/** Returns the terms of the anchor texts of all live documents. */
function termsIn(index: Directory): string[] {
  const reader = new IndexReader(index, silentLog);
  const terms = reader.segments.flatMap(({ anchors, deletes }) =>
    [...(anchors?.terms() ?? [])]
      .filter((entry) => !deletes.has(anchors!.postings(entry).advance()))
      .map(({ term }) => term),
  );
  reader.close();
  return terms;
}

function ranksIn(index: Directory): (number | null)[] {
  const reader = new IndexReader(index, silentLog);
  const ranks = reader.segments.flatMap((segment) => (segment.ranks ? [...segment.ranks] : [null]));
  reader.close();
  return ranks;
}
