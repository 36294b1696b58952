/** Paging over a real index: cursors, limits per host, collapsed near duplicates, cached responses. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type Directory, silentLog, systemClock } from '../../base/mod.ts';
import { type IndexDocument, IndexWriter } from '../../index/mod.ts';
import { type LocalSearcher, openSearcher } from '../local-searcher.ts';
import { addSegment, makeDocument, temporaryDirectory } from '../matching/naive.fixture.ts';
import type { SearchRequest, SearchResponse } from '../searcher.ts';

const WORDS = 'word '.repeat(5);

test('paging by cursor and by number gives the same list to its end', async (t) => {
  const documents = Array.from({ length: 1450 }, (_, n) =>
    makeDocument(
      `https://h${n % 7}.example/${n}`,
      `${WORDS.slice(0, 5 * (1 + (n % 5)))}${'other '.repeat(n % 11)}`,
    ),
  );
  const searcher = await searcherOf(t, documents.slice(0, 900), documents.slice(900));
  for (const rest of [{}, { perHost: 2 }]) {
    for (const query of ['word', 'word -absent', 'word OR other site:example']) {
      const all = await searcher.search({ query, offset: 0, limit: 1450 });
      const byCursor = await readAll(searcher, { query, offset: 0, limit: 70, ...rest });
      assert.equal(byCursor.length, 1450, query);
      assert.equal(new Set(byCursor).size, 1450, query);
      if (!('perHost' in rest)) assert.deepEqual(byCursor, urls(all), query);
    }
  }
});

test('after the close candidates, a cursor and a page number lead to the same page', async (t) => {
  const documents = Array.from({ length: 1300 }, (_, n) => makeDocument(`https://a.example/${n}`, 'word'));
  const searcher = await searcherOf(t, documents);
  const first = await searcher.search({ query: 'word', offset: 1200, limit: 10 });
  const next = await searcher.search({ query: 'word', offset: 0, limit: 10, cursor: first.cursor! });
  const byNumber = await searcher.search({ query: 'word', offset: 1210, limit: 10 });
  assert.deepEqual(urls(next), urls(byNumber));
  assert.equal(next.total, 1300);
});

test('a cursor of another query or of an older index is reported', async (t) => {
  const index = temporaryDirectory(t);
  await add(index, numbered(30));
  const searcher = open(t, index);
  const { cursor } = await searcher.search({ query: 'word', offset: 0, limit: 10 });
  const other = await searcher.search({ query: 'other', offset: 0, limit: 10, cursor: cursor! });
  assert.deepEqual(other.notes, [{ code: 'foreign-cursor', values: {} }]);
  const broken = await searcher.search({ query: 'word', offset: 0, limit: 10, cursor: 'nonsense' });
  assert.deepEqual(broken.notes, [{ code: 'foreign-cursor', values: {} }]);
  assert.equal(broken.results.length, 10);
  await add(index, [makeDocument('https://new.example/', 'word')]);
  searcher.refresh();
  const older = await searcher.search({ query: 'word', offset: 0, limit: 10, cursor: cursor! });
  assert.deepEqual(older.notes, [{ code: 'index-changed', values: {} }]);
  assert.equal(older.results.length, 10);
});

test('a host has two results per page if others match nearly as well, with a link to more', async (t) => {
  const documents = [
    ...Array.from({ length: 6 }, (_, n) => makeDocument(`https://big.example/${n}`, WORDS)),
    ...Array.from({ length: 6 }, (_, n) => makeDocument(`https://small${n}.example/a`, `${WORDS} and more`)),
  ];
  const searcher = await searcherOf(t, documents);
  const request = { query: 'word', offset: 0, limit: 5, perHost: 2 };
  const page = await searcher.search(request);
  const big = page.results.filter(({ host }) => host === 'big.example');
  assert.equal(big.length, 2);
  assert.equal(big[0]!.moreFromSite, undefined);
  assert.deepEqual(big[1]!.moreFromSite, { count: 4, query: 'word site:big.example' });
  const more = await searcher.search({ ...request, query: 'word site:big.example', limit: 10 });
  assert.equal(more.results.length, 6);
  assert.ok(more.results.every(({ moreFromSite }) => moreFromSite === undefined));
  const all = await readAll(searcher, request);
  assert.equal(new Set(all).size, 12);
});

test('near duplicates are listed once, with the URLs of the others', async (t) => {
  const signature = Uint32Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
  const text = `The word. ${Array.from({ length: 100 }, (_, n) => `filler${n}`).join(' ')}`;
  const searcher = await searcherOf(t, [
    { ...makeDocument('https://a.example/x', text, { title: 'Page' }), signature },
    { ...makeDocument('https://b.example/x', `${text} end`, { title: 'Page' }), signature },
    makeDocument('https://c.example/x', `The word. ${'else '.repeat(100)}`, { title: 'Page' }),
  ]);
  const plain = await searcher.search({ query: 'word', offset: 0, limit: 10 });
  assert.equal(plain.results.length, 3);
  const { results, total } = await searcher.search({ query: 'word', offset: 0, limit: 10, collapse: true });
  assert.equal(total, 3);
  assert.equal(results.length, 2);
  const [copy] = results.flatMap(({ similar }) => similar ?? []);
  assert.match(copy!, /^https:\/\/[ab]\.example\/x$/);
});

test('responses are cached until the index changes', async (t) => {
  const index = temporaryDirectory(t);
  await add(index, numbered(3));
  const searcher = openSearcher(index, { log: silentLog, clock: systemClock, answerBytes: 1_000_000 });
  t.after(() => searcher.close());
  const request = { query: '  word', offset: 0, limit: 10 };
  const first = await searcher.search(request);
  const again = await searcher.search({ ...request, query: 'word ' });
  assert.deepEqual({ ...again, tookMs: 0 }, { ...first, tookMs: 0 });
  assert.deepEqual({ ...searcher.stats().cache, sizeBytes: 0 }, { hits: 1, misses: 1, sizeBytes: 0 });
  await add(index, [makeDocument('https://new.example/', 'word')]);
  searcher.refresh();
  assert.equal((await searcher.search(request)).total, 4);
  assert.equal(open(t, index).stats().cache, undefined);
});

async function readAll(searcher: LocalSearcher, request: SearchRequest): Promise<string[]> {
  const found: string[] = [];
  for (let page = await searcher.search(request); ; ) {
    found.push(...urls(page));
    if (!page.cursor) return found;
    page = await searcher.search({ ...request, cursor: page.cursor });
  }
}

function urls({ results }: SearchResponse): string[] {
  return results.map(({ url }) => url);
}

function numbered(count: number): IndexDocument[] {
  return Array.from({ length: count }, (_, n) => makeDocument(`https://a.example/${n}`, 'word'));
}

async function searcherOf(t: TestContext, ...segments: IndexDocument[][]): Promise<LocalSearcher> {
  const index = temporaryDirectory(t);
  for (const documents of segments) await add(index, documents);
  return open(t, index);
}

async function add(index: Directory, documents: readonly IndexDocument[]): Promise<void> {
  const writer = new IndexWriter(index, silentLog);
  await addSegment(index, writer, documents);
  writer.commit();
  writer.close();
}

function open(t: TestContext, index: Directory): LocalSearcher {
  const searcher = openSearcher(index, { log: silentLog, clock: systemClock });
  t.after(() => searcher.close());
  return searcher;
}
