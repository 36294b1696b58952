/** Tests site rules over a real index: the total, the first results, and that pages neither overlap nor leave gaps. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { silentLog, systemClock } from '../../base/mod.ts';
import { IndexWriter } from '../../index/mod.ts';
import { parseSiteRules } from '../../url/mod.ts';
import { openSearcher } from '../local-searcher.ts';
import { addSegment, makeDocument, temporaryDirectory } from '../matching/naive.fixture.ts';

const HOSTS = ['a.example', 'b.example', 'docs.b.example', 'c.example'];
/**
 * The number of pages of each host. It is so large that the pages of the last host are not among the candidates of
 * the second stage.
 */
const PAGES_PER_HOST = 120;

async function rankedSearch(t: Parameters<typeof temporaryDirectory>[0]) {
  const index = temporaryDirectory(t);
  const writer = new IndexWriter(index, silentLog);
  const documents = HOSTS.flatMap((host, at) =>
    Array.from({ length: PAGES_PER_HOST }, (_, page) =>
      makeDocument(`https://${host}/${page}`, `word ${'filler '.repeat(20 * at + (page % 7))}`),
    ),
  );
  await addSegment(index, writer, documents.slice(0, 200));
  await addSegment(index, writer, documents.slice(200));
  writer.commit();
  writer.close();
  const searcher = openSearcher(index, { log: silentLog, clock: systemClock });
  t.after(() => searcher.close());
  return async (query: string, rules: string, offset = 0, limit = 10) => {
    const siteRules = parseSiteRules(rules).rules;
    const { total, results } = await searcher.search({ query, offset, limit, siteRules });
    return { total, hosts: results.map(({ host }) => host), urls: results.map(({ url }) => url) };
  };
}

test('a blocked site is neither shown nor counted, unless a rule for a longer name allows it', async (t) => {
  const search = await rankedSearch(t);
  const all = await search('word', '');
  assert.equal(all.total, 480);
  assert.deepEqual(new Set(all.hosts), new Set(['a.example']));
  const without = await search('word', 'block a.example\nblock b.example');
  assert.equal(without.total, 120);
  assert.deepEqual(new Set(without.hosts), new Set(['c.example']));
  assert.equal((await search('word', 'block b.example\nnormal docs.b.example')).total, 360);
  assert.equal((await search('site:a.example', 'block a.example')).total, 0);
});

test('a pinned site comes first from any rank, and a lowered one moves down', async (t) => {
  const search = await rankedSearch(t);
  const pinned = await search('word', 'pin c.example');
  assert.equal(pinned.total, 480);
  assert.deepEqual(new Set(pinned.hosts), new Set(['c.example']));
  assert.deepEqual(new Set((await search('word', 'lower a.example')).hosts), new Set(['b.example']));
  assert.deepEqual(
    new Set((await search('word site:a.example', 'pin c.example')).hosts),
    new Set(['a.example']),
  );
});

test('with rules, pages neither overlap nor leave gaps', async (t) => {
  const search = await rankedSearch(t);
  const rules = 'pin c.example\nlower a.example\nraise docs.b.example\nblock b.example';
  const seen: string[] = [];
  for (let offset = 0; offset < 480; offset += 30)
    seen.push(...(await search('word', rules, offset, 30)).urls);
  assert.equal(seen.length, 360);
  assert.equal(new Set(seen).size, 360);
  assert.deepEqual((await search('word', rules, 0, 480)).urls, seen);
});
