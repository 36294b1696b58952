import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { silentLog } from '../../base/mod.ts';
import { type IndexDocument, IndexReader } from '../../index/mod.ts';
import { canonicalize } from '../../url/mod.ts';
import { NO_DEADLINE } from '../deadline.ts';
import { type LinkLookup, readTokens } from '../language/mod.ts';
import { makeDocument } from '../matching/naive.fixture.ts';
import { indexOf } from '../searcher.fixture.ts';
import { LocalShard } from '../shard/mod.ts';
import { gatherLookups } from './gather-lookups.ts';
import { ShardGroup } from './shard-group.ts';

test('words that begin with a prefix are those of all shards, the most common first', async (t) => {
  const shards = await shardsOf(
    t,
    [makeDocument('https://a.example/1', 'connect connection other')],
    [makeDocument('https://a.example/2', 'connection conga'), makeDocument('https://a.example/3', 'con')],
  );
  const { wordsBeginning } = await lookupsFor('con* zz*', shards);
  assert.deepEqual(wordsBeginning('con', 10, 100), ['connection', 'con', 'conga', 'connect']);
  assert.deepEqual(wordsBeginning('con', 2, 100), ['connection', 'con']);
  assert.deepEqual(wordsBeginning('zz', 10, 100), []);
});

test('content words are frequent in the page, rare elsewhere, and not of this page alone', async (t) => {
  const shards = await shardsOf(
    t,
    [
      makeDocument('https://a.example/1', 'the tide the tide the moon unheard', { title: 'Tide' }),
      ...Array.from({ length: 5 }, (_, n) => makeDocument(`https://b.example/${n}`, 'the of and')),
    ],
    [
      makeDocument('https://a.example/2', 'the tide and the moon'),
      ...Array.from({ length: 5 }, (_, n) => makeDocument(`https://c.example/${n}`, 'the of and')),
    ],
  );
  const { contentWords } = await lookupsFor('related:a.example/1 related:a.example/9', shards);
  assert.deepEqual(contentWords(canonicalize('https://a.example/1')!), ['tide', 'moon', 'the']);
  assert.deepEqual(contentWords(canonicalize('https://a.example/9')!), []);
});

test('a page has its own address if the index has it, else the one by which links know it', async (t) => {
  const shards = await shardsOf(t, [makeDocument('https://a.example/1', 'tide')], []);
  const [own, alias, unknown] = ['1', 'old', 'never'].map(
    (path) => canonicalize(`https://a.example/${path}`)!,
  );
  const links = {
    ...{ generation: 1, hasLinks: true, linksTo: () => [] },
    documentOf: (url: string) => (url === unknown ? null : own!),
  };
  const query = 'link:a.example/1 link:a.example/old link:a.example/never';
  const { documentOf } = await lookupsFor(query, shards, links);
  assert.deepEqual(
    [own, alias, unknown].map((url) => documentOf(url!)),
    [own, own, null],
  );
  assert.equal((await lookupsFor(query, shards)).documentOf(alias!), null);
});

test('lookups are needed for prefixes, pages and half pairs only', () => {
  const needed = (query: string) => {
    const { prefixes, addresses, related } = readTokens(query).needed;
    return [prefixes.map(({ prefix }) => prefix), addresses.length, related.length];
  };
  assert.deepEqual(needed('http "a phrase" +word -other site:a.org intitle:client'), [[], 0, 0]);
  assert.deepEqual(needed('Conn* intitle:Cli* -a*b*'), [['conn', 'cli'], 0, 0]);
  assert.deepEqual(needed('"2024年" inurl:"x1東"'), [['年', '東'], 0, 0]);
  assert.deepEqual(needed('link:a.org RELATED:b.org related:"c.org"'), [[], 3, 2]);
  assert.deepEqual(needed(Array.from({ length: 90 }, (_, at) => `related:a.org/${at}`).join(' ')), [
    [],
    64,
    8,
  ]);
});

async function lookupsFor(query: string, shards: readonly LocalShard[], links: LinkLookup | null = null) {
  const sources = { links, synonyms: null };
  return (await gatherLookups(readTokens(query), new ShardGroup(shards, NO_DEADLINE), sources)).lookups;
}

async function shardsOf(t: TestContext, ...parts: IndexDocument[][]): Promise<LocalShard[]> {
  const shards: LocalShard[] = [];
  for (const documents of parts) {
    const index = await indexOf(t, ...(documents.length > 0 ? [documents] : []));
    const shard = new LocalShard(new IndexReader(index, silentLog));
    t.after(() => shard.close());
    shards.push(shard);
  }
  return shards;
}
