import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canonicalize } from '../../url/mod.ts';
import { makeDocument } from '../matching/naive.fixture.ts';
import { indexOf, open } from '../searcher.fixture.ts';
import type { SearchRequest } from '../searcher.ts';

const TODAY = 20_000;
const clock = { now: () => TODAY * 86_400_000 };
const announced = (name: string, day: number) => ({ url: canonicalize(`https://${name}.example/`)!, day });

/** Test pages. The number of words determines their order by score: `word word` ranks above `word`. */
const DOCUMENTS = [
  { name: 'old', text: 'word word word', type: 'html/news', day: TODAY - 30 },
  { name: 'new', text: 'word and other things', type: 'html/news', day: TODAY - 1 },
  { name: 'ahead', text: 'word word', type: 'html/news', day: TODAY + 100 },
  { name: 'plain', text: 'word and something', type: 'html', day: TODAY - 1 },
].map(({ name, text, ...rest }) => makeDocument(`https://${name}.example/`, text, rest));

async function searcherOver(t: Parameters<typeof indexOf>[0]) {
  const searcher = open(await indexOf(t, DOCUMENTS), { clock });
  t.after(() => searcher.close());
  return async (request: Partial<SearchRequest>) => {
    const { results, total } = await searcher.search({
      query: 'word kind:news',
      offset: 0,
      limit: 10,
      ...request,
    });
    return { total, hosts: results.map(({ host }) => host.replace('.example', '')), results };
  };
}

test('the newest documents come first, and those with a future date last', async (t) => {
  const search = await searcherOver(t);
  assert.deepEqual((await search({ order: 'newest' })).hosts, ['new', 'old', 'ahead']);
  assert.equal((await search({})).hosts[0], 'old', 'otherwise the best');
  assert.deepEqual((await search({ order: 'newest', offset: 1, limit: 1 })).hosts, ['old']);
});

test('a page announced by a feed is news with the date of the feed', async (t) => {
  const search = await searcherOver(t);
  const list = [announced('plain', TODAY - 7), announced('old', TODAY), announced('unknown', TODAY)];
  const { hosts, total, results } = await search({ order: 'newest', announced: list });
  assert.deepEqual(hosts, ['old', 'new', 'plain', 'ahead']);
  assert.equal(total, 4);
  assert.equal(results[0]!.date, new Date(TODAY * 86_400_000).toISOString().slice(0, 10));
  assert.deepEqual((await search({ query: 'word -kind:news', announced: list })).hosts, []);
  assert.deepEqual((await search({ query: 'something kind:news', announced: list })).hosts, ['plain']);
});

test('a pinned site comes before newer documents', async (t) => {
  const search = await searcherOver(t);
  const siteRules = [{ site: 'old.example', effect: 'pin' as const }];
  assert.deepEqual((await search({ order: 'newest', siteRules })).hosts, ['old', 'new', 'ahead']);
});
