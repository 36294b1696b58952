/**
 * Checks that responses do not depend on the number of shards: the same documents in 1, 2, 4 and 7 shards give
 * the same lists and scores, which also equal the lists and scores of the naive engine. Every second set of
 * shards serializes its requests and replies.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { testSeed } from '../../../test/helpers/seed.ts';
import { Random, systemClock } from '../../base/mod.ts';
import type { IndexDocument, IndexReader } from '../../index/mod.ts';
import { builtInProfile, DEFAULT_PROFILE, featureNames, type Profile } from '../../scoring/mod.ts';
import type { CanonicalUrl } from '../../url/mod.ts';
import { parseQuery } from '../language/parse.ts';
import { NAIVE_PROFILE, searchNaively, temporaryDirectory } from '../matching/naive.fixture.ts';
import {
  buildInRounds,
  LINKS,
  lookupsAmong,
  randomQuery,
  rankOf,
  SYNONYMS,
  signalsOf,
  textsOf,
} from '../matching/random-corpus.fixture.ts';
import type { SearchRequest } from '../searcher.ts';
import { LocalShard } from '../shard/mod.ts';
import { wireShard } from '../shard/wire-shard.fixture.ts';
import {
  comparable,
  LANGUAGES,
  partOfDocuments,
  randomRequest,
  readerOver,
} from './divided-corpus.fixture.ts';
import { Gateway } from './gateway.ts';

const SHARD_COUNTS = [1, 2, 4, 7];
const QUERIES = 60;
/**
 * A profile with few candidates, so that each list of results has all three groups: candidates with full features,
 * candidates with rough scores, and other matches.
 */
const SHALLOW = { ...NAIVE_PROFILE, name: 'shallow', candidates: 12, close: 5 };
const FEEDBACK = featureNames('linear').indexOf('feedback');
const EXPANDING = {
  ...DEFAULT_PROFILE,
  name: 'expanding',
  close: 9,
  feedback: { documents: 4, words: 8, minWords: 1 },
};

/** The same documents, divided into several numbers of shards. */
interface Divided {
  documents: readonly IndexDocument[];
  /** Returns one gateway for each number of shards: 1, 2, 4 and 7. */
  gateways(profile: Profile): Gateway[];
}

test('1, 2, 4 and 7 shards give the list and the scores of the naive engine', async (t) => {
  const seed = testSeed();
  const random = new Random(seed);
  for (let corpus = 0; corpus < 2; corpus++) {
    const { documents, gateways } = await divided(t, random);
    const engines = gateways(NAIVE_PROFILE);
    for (let n = 0; n < QUERIES; n++) {
      const query = randomQuery(random);
      const parsed = parseQuery(query, lookupsAmong(documents));
      const preferredLanguage = random.pick(LANGUAGES);
      const expected = searchNaively(documents, rankOf, parsed, textsOf, signalsOf, preferredLanguage);
      for (const [at, engine] of engines.entries()) {
        const request = { query, preferredLanguage, offset: 0, limit: 200 };
        const { results, total, partial } = await engine.search(request);
        const found = results.map(({ url, score }) => ({ url, score }));
        const where = `seed ${seed}, ${SHARD_COUNTS[at]} shards: ${query}`;
        assert.deepEqual(found, expected, where);
        assert.deepEqual([total, partial], [expected.length, false], where);
      }
    }
  }
});

test('a list by cursors is that of the naive engine, to its end', async (t) => {
  const seed = testSeed();
  const random = new Random(seed + 1);
  const { documents, gateways } = await divided(t, random);
  const engines = gateways(NAIVE_PROFILE);
  const shallow = gateways(SHALLOW);
  for (let n = 0; n < 25; n++) {
    const query = randomQuery(random);
    const limit = random.between(1, 9);
    const parsed = parseQuery(query, lookupsAmong(documents));
    const expected = searchNaively(documents, rankOf, parsed, textsOf, signalsOf).map(({ url }) => url);
    for (const [at, engine] of engines.entries())
      assert.deepEqual(
        await readAll(engine, { query, offset: 0, limit }),
        expected,
        `seed ${seed}: ${query} ${at}`,
      );
    const lists = await Promise.all(shallow.map((one) => readAll(one, { query, offset: 0, limit })));
    for (const list of lists) assert.deepEqual(list, lists[0], `seed ${seed}: ${query}`);
    assert.deepEqual([...lists[0]!].sort(), [...expected].sort(), `seed ${seed}: ${query}`);
  }
});

test('pages, rules, dates and expansion terms do not depend on the number of shards', async (t) => {
  const seed = testSeed();
  const random = new Random(seed + 2);
  let expanded = 0;
  for (const profile of [EXPANDING, SHALLOW, builtInProfile('compass'), builtInProfile('yase')]) {
    // With the model `yase`, IDFs count deleted documents too, so they depend on the shards if any document was
    // deleted.
    const { gateways } = await divided(t, random, profile.model === 'yase' ? 0 : 3);
    const engines = gateways(profile);
    for (let n = 0; n < 25; n++) {
      const query = random.chance(0.3) ? `${randomQuery(random)} http client rust run` : randomQuery(random);
      const request = randomRequest(random, query);
      const where = `seed ${seed}, ${profile.name}: ${JSON.stringify(request)}`;
      const responses = await Promise.all(engines.map((engine) => engine.search(request)));
      for (const response of responses)
        assert.deepEqual(comparable(response), comparable(responses[0]!), where);
      const url = responses[0]!.results[0]?.url as CanonicalUrl | undefined;
      if (url === undefined) continue;
      const explained = await Promise.all(engines.map((engine) => engine.explain(query, url, request)));
      for (const one of explained) assert.deepEqual(one, explained[0], where);
      const ranked = await Promise.all(engines.map((engine) => engine.ranking(query, 30)));
      for (const one of ranked) assert.deepEqual(one, ranked[0], where);
      if (profile === EXPANDING && ranked[0]!.some(({ features }) => features[FEEDBACK]! > 0)) expanded++;
    }
  }
  assert.ok(expanded > 0, `seed ${seed}: no query was expanded`);
});

test('long texts are cut to the same words', async (t) => {
  const random = new Random(testSeed() + 3);
  const { gateways } = await divided(t, random);
  const text = Array.from({ length: 300 }, (_, at) => `${randomQuery(random)} filler${at % 90}`).join(' ');
  const rankings = await Promise.all(gateways(NAIVE_PROFILE).map((engine) => engine.ranking(text, 50)));
  assert.ok(rankings[0]!.length > 0);
  for (const ranking of rankings) assert.deepEqual(ranking, rankings[0]);
});

/** Divides documents by their fingerprints. Every shard has two segments and `deletedCount` deleted documents. */
async function divided(t: TestContext, random: Random, deletedCount = 3): Promise<Divided> {
  const all = new Map<string, IndexDocument>();
  await buildInRounds(temporaryDirectory(t), random, all);
  const documents = [...all.values()];
  const sets: IndexReader[][] = [];
  for (const count of SHARD_COUNTS) {
    const readers: IndexReader[] = [];
    for (let shard = 0; shard < count; shard++) {
      const own = partOfDocuments(documents, shard, count);
      const deleted = documents.filter((document) => !own.includes(document)).slice(0, deletedCount);
      readers.push(await readerOver(t, own, deleted));
    }
    sets.push(readers);
  }
  t.after(() => sets.flat().forEach((reader) => void reader.close()));
  return {
    documents,
    gateways: (profile) =>
      sets.map((readers, at) => {
        const shards = readers.map((reader) => new LocalShard(reader, { cacheBytes: 1 << 20 }));
        return new Gateway(at % 2 === 0 ? shards : shards.map(wireShard), {
          clock: systemClock,
          links: () => LINKS,
          synonyms: () => ({ known: SYNONYMS, version: '' }),
          profile,
        });
      }),
  };
}

async function readAll(engine: Gateway, request: SearchRequest): Promise<string[]> {
  const urls: string[] = [];
  for (let cursor: string | undefined; ; ) {
    const response = await engine.search(cursor === undefined ? request : { ...request, cursor });
    urls.push(...response.results.map(({ url }) => url));
    if (response.cursor === undefined) return urls;
    cursor = response.cursor;
  }
}
