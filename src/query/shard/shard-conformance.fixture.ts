/** A suite of tests that every implementation of SearchShard must pass. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { silentLog } from '../../base/mod.ts';
import { type IndexDocument, IndexReader, IndexWriter } from '../../index/mod.ts';
import { DEFAULT_PROFILE, modelScore } from '../../scoring/mod.ts';
import { ALL_STEMMINGS, titleKeyOf } from '../../text/mod.ts';
import { readQueryIn } from '../gateway/read-query.fixture.ts';
import { addSegment, makeDocument, temporaryDirectory } from '../matching/naive.fixture.ts';
import { joinStatistics, usesOf } from '../terms/mod.ts';
import type { CandidatesRequest, SearchShard, ShardRequest } from './search-shard.ts';

/** Creates the tested shard over an index. The suite closes it. */
type MakeShard = (index: IndexReader, t: TestContext) => SearchShard | Promise<SearchShard>;

const DOCUMENTS = [
  makeDocument('https://a.example/1', 'red dog red fox', { title: 'Dogs' }),
  makeDocument('https://a.example/2', 'a red dog and a blue café'),
  makeDocument('https://b.example/3', 'blue whale', { type: 'pdf', day: 19_000 }),
  makeDocument('https://b.example/4', 'red connection connections cafe'),
];
const GONE = makeDocument('https://c.example/', 'red dog conga');
const ANY_TIME = Number.POSITIVE_INFINITY;

export function testShard(name: string, make: MakeShard): void {
  const shardTest = (what: string, check: (shard: SearchShard, index: IndexReader) => Promise<void>) =>
    test(`${name}: ${what}`, async (t) => {
      const index = await indexOver(t, DOCUMENTS);
      const shard = await make(index, t);
      t.after(() => shard.close());
      await check(shard, index);
    });

  shardTest('the state counts live documents', async ({ state }) => {
    assert.deepEqual([state.docCount, state.indexedDocs, state.segmentCount], [4, 5, 2]);
    assert.deepEqual([state.isDamaged, state.hasFeeds], [false, false]);
    assert.equal(
      [...state.stemmings.values()].reduce((sum, count) => sum + count, 0),
      4,
    );
  });

  shardTest(
    'words are found by their beginning, the most common first, and by other accents',
    async (shard) => {
      const prefixes = [
        { prefix: 'con', limit: 10, maxRead: 100 },
        { prefix: 'con', limit: 1, maxRead: 100 },
        { prefix: 'zz', limit: 10, maxRead: 100 },
      ];
      const found = await shard.lookUpWords({ ...anyTime(shard), prefixes, spelled: ['cafe', 'dog'] });
      assert.deepEqual(
        found.prefixes.map((words) => words.map(({ word }) => word)),
        [['conga', 'connection', 'connections'], ['conga'], []],
      );
      assert.deepEqual(found.spellings, [['café'], []]);
    },
  );

  shardTest(
    'documents are counted with or without deleted ones, exactly up to the ceiling',
    async (shard) => {
      const terms = ['red', 'blue', 'absent'].map((term) => ({ term, stemmings: ALL_STEMMINGS }));
      const count = async (includesDeleted: boolean, ceiling: number) =>
        shard.countDocuments({ ...anyTime(shard), terms, inAnchors: true, includesDeleted, ceiling });
      assert.deepEqual(await count(false, ANY_TIME), { own: [3, 2, 0], said: [0, 0, 0] });
      assert.deepEqual((await count(true, ANY_TIME)).own, [4, 2, 0]);
      const [red, blue] = (await count(false, 2)).own;
      assert.ok(red! > 2);
      assert.equal(blue, 2);
    },
  );

  shardTest('live documents are located by fingerprint, and their terms are read', async (shard) => {
    const fingerprints = [DOCUMENTS[0]!, GONE].map(({ fingerprint }) => fingerprint);
    const [own, gone] = await shard.locate({ ...anyTime(shard), fingerprints });
    assert.equal(gone, null);
    assert.deepEqual(await shard.urls({ ...anyTime(shard), docs: [own!] }), ['https://a.example/1']);
    const [page, none] = await shard.readPages({ ...anyTime(shard), fingerprints });
    assert.deepEqual(page, {
      terms: ['dog', 'red', 'fox'],
      words: ['dogs', 'red', 'fox'],
      counts: [2, 2, 1],
      meaning: null,
    });
    assert.equal(none, null);
  });

  shardTest(
    'matches come best first, all are counted, and a place continues the list',
    async (shard, index) => {
      const request = await requestFor(shard, index, 'red dog');
      const all = await shard.candidates(request);
      assert.deepEqual([all.total, all.isPartial, all.scores.length], [3, false, 3]);
      assert.ok(all.scores[0]! >= all.scores[1]! && all.scores[1]! >= all.scores[2]!);
      assert.ok(all.rough.kind === 'scores' && all.rough.scores.length === 3);
      const [first] = await shard.urls({ ...anyTime(shard), docs: Array.from(all.docs) });
      assert.equal(first, 'https://a.example/1');
      assert.deepEqual([...all.hosts].sort(), ['a.example', 'a.example', 'b.example']);
      const after = { score: all.scores[0]!, fingerprint: all.fingerprints[0]! };
      const rest = await shard.candidates({ ...request, after, roughCount: 0 });
      assert.deepEqual([Array.from(rest.docs), rest.total], [Array.from(all.docs).slice(1), 3]);
      assert.equal(rest.rough.kind, 'not-needed');
      const best = await shard.candidates({ ...request, keep: 1, roughAbove: 5 });
      assert.deepEqual([Array.from(best.docs), best.rough.kind], [[all.docs[0]], 'not-needed']);
    },
  );

  shardTest(
    'features are those of each document, and an explanation has the same score',
    async (shard, index) => {
      const request = await requestFor(shard, index, 'red dog');
      const docs = Array.from((await shard.candidates(request)).docs);
      const asked = { ...request, rarities: null };
      const features = await shard.features({ ...asked, docs });
      const reversed = await shard.features({ ...asked, docs: docs.toReversed() });
      assert.deepEqual(reversed.toReversed(), features);
      const { total } = await shard.explain({ ...asked, doc: docs[0]!, isClose: true, expansionScore: null });
      assert.equal(total, modelScore(DEFAULT_PROFILE, request.statistics, features[0]!));
    },
  );

  shardTest(
    'documents are found by their whole title, if they meet the requirement',
    async (shard, index) => {
      const find = async (title: string, text: string) => {
        const { requirement } = (await requestFor(shard, index, text)).query;
        const asked = { ...anyTime(shard), requirement, titleKey: titleKeyOf(title), keep: 5 };
        return shard.urls({ ...asked, docs: Array.from((await shard.titled(asked)).docs) });
      };
      assert.deepEqual(await find('dogs', 'dogs'), ['https://a.example/1']);
      assert.deepEqual(await find('dogs', 'dogs -fox'), []);
      assert.deepEqual(await find('dogs and foxes', 'dogs'), []);
    },
  );

  shardTest('expansion terms are read from documents and scored in documents', async (shard, index) => {
    const request = await requestFor(shard, index, 'red dog');
    const docs = Array.from((await shard.candidates(request)).docs);
    const [terms] = await shard.topicTerms({ ...anyTime(shard), docs });
    assert.deepEqual([...terms!.terms].sort(), ['dog', 'fox', 'red']);
    const scores = await shard.expansionScores({ ...request, docs, terms: [{ term: 'fox', share: 1 }] });
    assert.ok(scores[0]! > 0 && scores[1] === 0 && scores[2] === 0, scores.join());
    const all = await shard.documentTerms({ ...anyTime(shard), docs: docs.slice(0, 1) });
    assert.deepEqual([...all].sort(), ['dog', 'fox', 'red']);
  });

  shardTest(
    'details have the snippet and its highlights, in the order of the request',
    async (shard, index) => {
      const request = await requestFor(shard, index, 'whale');
      const docs = Array.from((await shard.candidates(request)).docs);
      const shown = { close: new Set(docs), forms: null };
      const [whale] = await shard.details({ ...request, ...shown, docs });
      assert.deepEqual([whale!.url, whale!.snippet], ['https://b.example/3', 'blue whale']);
      assert.deepEqual(whale!.highlights, [[5, 10]]);
      assert.equal(whale!.date, '2022-01-08');
    },
  );

  shardTest('a copy of a request gets the same reply', async (shard, index) => {
    const request = await requestFor(shard, index, 'red dog -blue "red fox"');
    assert.deepEqual(await shard.candidates(structuredClone(request)), await shard.candidates(request));
  });

  shardTest('a request after the time limit gets what was found so far', async (shard, index) => {
    const request = await requestFor(shard, index, 'red -blue');
    const late = await shard.candidates({ ...request, leftMs: -10_000 });
    assert.deepEqual([late.isPartial, late.total <= 2], [true, true]);
    const docs = Array.from((await shard.candidates(request)).docs);
    const shown = { close: new Set(docs), forms: null, leftMs: -10_000 };
    assert.equal((await shard.details({ ...request, ...shown, docs })).length, 1);
  });

  shardTest('a request about another view is rejected', async (shard, index) => {
    const request = { ...(await requestFor(shard, index, 'red')), view: 'another' };
    const changed = { code: 'shard-changed' };
    await assert.rejects(shard.candidates(request), changed);
    await assert.rejects(shard.lookUpWords({ ...request, prefixes: [], spelled: [] }), changed);
    await assert.rejects(shard.statistics({ ...request, words: [], withForms: false }), changed);
  });
}

function anyTime(shard: SearchShard): ShardRequest {
  return { view: shard.state.view, leftMs: ANY_TIME };
}

/** Returns a request for the candidates of a query, with the statistics of this shard. */
async function requestFor(shard: SearchShard, index: IndexReader, text: string): Promise<CandidatesRequest> {
  const query = await readQueryIn(index, text);
  const asked = anyTime(shard);
  const part = await shard.statistics({ ...asked, words: query.terms, withForms: false });
  const profile = DEFAULT_PROFILE;
  const statistics = joinStatistics([part], query.terms, usesOf(query.text, query), profile.functionWords);
  const limits = { keep: 10, count: true, after: null, roughCount: 10, roughAbove: 0 };
  return { ...asked, ...limits, query, statistics, profile };
}

/** Builds an index of two segments; one of them has a deleted document. */
async function indexOver(t: TestContext, documents: readonly IndexDocument[]): Promise<IndexReader> {
  const directory = temporaryDirectory(t);
  const writer = new IndexWriter(directory, silentLog);
  await addSegment(directory, writer, [...documents.slice(0, 2), GONE]);
  await addSegment(directory, writer, documents.slice(2));
  writer.deleteDocuments([GONE.fingerprint]);
  writer.commit();
  writer.close();
  return new IndexReader(directory, silentLog);
}
