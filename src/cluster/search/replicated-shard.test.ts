/** A gateway over replicated shards behind real sockets: the same responses as one index, and failures of nodes. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { testSeed } from '../../../test/helpers/seed.ts';
import { Random, silentLog, systemClock } from '../../base/mod.ts';
import type { IndexDocument } from '../../index/mod.ts';
import type { SearchShard } from '../../query/mod.ts';
import {
  comparable,
  partOfDocuments,
  randomRequest,
  readerOver,
} from '../../query/gateway/divided-corpus.fixture.ts';
import { Gateway } from '../../query/gateway/mod.ts';
import { makeDocument, temporaryDirectory } from '../../query/matching/naive.fixture.ts';
import { buildInRounds, LINKS, randomQuery, SYNONYMS } from '../../query/matching/random-corpus.fixture.ts';
import { LocalShard, ShardChangedError } from '../../query/shard/mod.ts';
import type { CanonicalUrl } from '../../url/mod.ts';
import { replicatedShard } from './replicated-shard.ts';
import { SearchNodes } from './search-nodes.ts';
import { KEY, servedInProcess, serveShards } from './served-shards.fixture.ts';
import type { ServedShards } from './shard-server.ts';

const OPTIONS = {
  clock: systemClock,
  links: () => LINKS,
  synonyms: () => ({ known: SYNONYMS, version: '' }),
};
const QUERY = { query: 'word', offset: 0, limit: 10 };
/** An interval between polls that is longer than a test, so that the test decides when a node is polled. */
const NO_POLLS = 1e8;

/** Builds one of `count` shards of the documents. */
async function localShard(t: TestContext, documents: readonly IndexDocument[], shard: number, count: number) {
  return new LocalShard(await readerOver(t, partOfDocuments(documents, shard, count), []));
}

/** Serves nodes and watches them. */
async function watched(t: TestContext, nodes: readonly ServedShards[], pollMs = NO_POLLS) {
  const members = await Promise.all(
    nodes.map(async (served) => ({
      node: served.states().node,
      address: await serveShards(t, served),
      weight: 1,
    })),
  );
  const known = new SearchNodes(KEY, silentLog, { pollMs });
  t.after(() => known.close());
  await known.update(members);
  return { known, members };
}

test('1, 2 and 4 shards on two nodes give the lists and scores of one local index', async (t) => {
  const seed = testSeed();
  const random = new Random(seed);
  const all = new Map<string, IndexDocument>();
  await buildInRounds(temporaryDirectory(t), random, all);
  const documents = [...all.values()];
  const engines = [new Gateway([await localShard(t, documents, 0, 1)], OPTIONS)];
  for (const count of [1, 2, 4]) {
    const shards = new Map<string, SearchShard>();
    for (let at = 0; at < count; at++) shards.set(`s${at}`, await localShard(t, documents, at, count));
    const nodes = ['one', 'two'].map((name) => servedInProcess(shards, name));
    const { known } = await watched(t, nodes);
    engines.push(
      new Gateway(
        [...shards.keys()].map((name) => replicatedShard(name, known)),
        OPTIONS,
      ),
    );
  }
  for (let n = 0; n < 12; n++) {
    const query = random.chance(0.3) ? `${randomQuery(random)} http client rust run` : randomQuery(random);
    const request = randomRequest(random, query);
    const where = `seed ${seed}: ${JSON.stringify(request)}`;
    const responses = await Promise.all(engines.map((engine) => engine.search(request)));
    for (const response of responses)
      assert.deepEqual(comparable(response), comparable(responses[0]!), where);
    const url = responses[0]!.results[0]?.url as CanonicalUrl | undefined;
    if (url === undefined) continue;
    const explained = await Promise.all(engines.map((engine) => engine.explain(query, url, request)));
    for (const one of explained) assert.deepEqual(one, explained[0], where);
  }
});

const DOCUMENTS = Array.from({ length: 12 }, (_, n) => makeDocument(`https://a.example/${n}`, 'word'));

/** Two shards on two nodes. A node that is in `broken` fails all calls. */
async function twoNodes(t: TestContext, broken: Set<string>) {
  const shards = new Map<string, SearchShard>();
  for (const at of [0, 1]) shards.set(`s${at}`, await localShard(t, DOCUMENTS, at, 2));
  const nodes = ['one', 'two'].map((name): ServedShards => {
    const served = servedInProcess(shards, name);
    const check = () => {
      if (broken.has(name)) throw new Error('the node is broken');
    };
    return {
      states: () => {
        check();
        return served.states();
      },
      respond: async (head, parts) => {
        check();
        return served.respond(head, parts);
      },
    };
  });
  const { known, members } = await watched(t, nodes);
  const gateway = new Gateway(
    [...shards.keys()].map((name) => replicatedShard(name, known)),
    OPTIONS,
  );
  return { known, members, gateway };
}

test('a node that fails costs no query', async (t) => {
  const broken = new Set<string>();
  const { gateway } = await twoNodes(t, broken);
  for (let n = 0; n < 10; n++) {
    if (n === 3) broken.add('one');
    const { total, partial } = await gateway.search(QUERY);
    assert.deepEqual([total, partial], [12, false]);
  }
});

test('the response is partial if no replica of a shard answers, and whole when one is back', async (t) => {
  const documents = partOfDocuments(DOCUMENTS, 0, 2);
  const shard = await localShard(t, DOCUMENTS, 0, 2);
  const other = await localShard(t, DOCUMENTS, 1, 2);
  const lost = new Set<string>();
  const served = servedInProcess(new Map([['s1', other]]), 'two');
  const breaking: ServedShards = {
    states: () => {
      if (lost.has('two')) throw new Error('the node is broken');
      return served.states();
    },
    respond: async (head, parts) => {
      if (lost.has('two')) throw new Error('the node is broken');
      return served.respond(head, parts);
    },
  };
  const { known } = await watched(t, [servedInProcess(new Map([['s0', shard]]), 'one'), breaking], 20);
  const gateway = new Gateway([replicatedShard('s0', known), replicatedShard('s1', known)], OPTIONS);
  assert.equal((await gateway.search(QUERY)).total, 12);
  lost.add('two');
  const response = await gateway.search(QUERY);
  assert.deepEqual([response.total, response.partial], [documents.length, true]);
  assert.deepEqual(response.notes, [{ code: 'absent-shard', values: {} }]);
  lost.clear();
  while (known.holdersOf('s1').length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
  const { total, partial } = await gateway.search(QUERY);
  assert.deepEqual([total, partial], [12, false]);
});

test('without any node the query fails with a code', async () => {
  const known = new SearchNodes(KEY, silentLog);
  const gateway = new Gateway([replicatedShard('s0', known)], OPTIONS);
  await assert.rejects(gateway.search(QUERY), { code: 'index-unreachable' });
});

test('a node that is silent is overtaken by another replica', async (t) => {
  const shard = await localShard(t, DOCUMENTS, 0, 1);
  const shards = new Map([['s0', shard]]);
  const silent: ServedShards = {
    ...servedInProcess(shards, 'silent'),
    respond: () => new Promise(() => {}),
  };
  const { known } = await watched(t, [silent, servedInProcess(shards, 'lively')]);
  const gateway = new Gateway([replicatedShard('s0', known)], OPTIONS);
  const { total, partial } = await gateway.search(QUERY);
  assert.deepEqual([total, partial], [12, false]);
});

test('replicas with different views are never mixed in one response', async (t) => {
  const old = await localShard(t, DOCUMENTS, 0, 1);
  const newer = new LocalShard(
    await readerOver(t, [...DOCUMENTS, makeDocument('https://b.example/', 'word')], []),
  );
  const states = { one: old, two: newer };
  const nodes = Object.entries(states).map(([name, shard]) =>
    servedInProcess(new Map([['s0', shard]]), name),
  );
  const { known } = await watched(t, nodes);
  const shard = replicatedShard('s0', known);
  const gateway = new Gateway([shard], OPTIONS);
  for (let n = 0; n < 6; n++) assert.ok([12, 13].includes((await gateway.search(QUERY)).total));
  const request = { view: 'another', leftMs: 1000, docs: [0] };
  await assert.rejects(shard.urls(request), ShardChangedError);
});

test('a node whose address belongs to another node is not used', async (t) => {
  const shard = await localShard(t, DOCUMENTS, 0, 1);
  const address = await serveShards(t, servedInProcess(new Map([['s0', shard]]), 'new'));
  const known = new SearchNodes(KEY, silentLog);
  t.after(() => known.close());
  await known.update(['old', 'new'].map((node) => ({ node, address, weight: 1 })));
  assert.deepEqual(known.holdersOf('s0'), ['new']);
});
