/**
 * Compares a cluster with a single process that crawled the same synthetic web: page ranks, host signals and anchor
 * texts of every page by the features that searches in both indexes return, and the answers of a gateway.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { freePort } from '../../bench/free-port.ts';
import { type Directory, directoryAt, silentLog, systemClock } from '../../src/base/mod.ts';
import { writeTinyModel } from '../../src/meaning/tiny-model.fixture.ts';
import { openSearcher } from '../../src/query/mod.ts';
import type { SyntheticWeb } from '../../src/synthetic-web/server.ts';
import type { CanonicalUrl } from '../../src/url/mod.ts';
import { isDone, openCluster, openWeb, until } from '../helpers/cluster-crawl.ts';
import type { TestCluster } from '../helpers/test-cluster.ts';
import { Gyre, gyre, temporaryDirectory } from '../helpers/gyre.ts';
import { crawlOptions } from '../helpers/synthetic-crawl.ts';

const PAGES = 160;
const FEATURES = new Set(['anchor', 'pageRank', 'hostRank', 'trust', 'noFarm', 'independent']);
/**
 * The maximum difference between two ranks. Rankings of one graph that begin with other initial values differ
 * by about this much.
 */
const TOLERANCE = 1e-3;

/** For each URL, the values of the features that come from links, in a search for the title of the page. */
type LinkFeatures = Map<string, Map<string, number>>;

async function readFeatures(index: Directory, web: SyntheticWeb): Promise<LinkFeatures> {
  const searcher = openSearcher(index, { log: silentLog, clock: systemClock });
  const features: LinkFeatures = new Map();
  for (const { url, title } of web.plan.plainPages(web.port)) {
    const explained = await searcher.explain(title, url as CanonicalUrl);
    const shares = explained?.shares.filter(({ feature }) => FEATURES.has(feature)) ?? [];
    features.set(url, new Map(shares.map(({ feature, value }) => [feature, value])));
  }
  searcher.close();
  return features;
}

/** Crawls, indexes and ranks the web in a single process. */
async function crawlAlone(context: TestContext, web: SyntheticWeb): Promise<Directory> {
  const root = temporaryDirectory(context);
  const options = crawlOptions(root, { delay: '1ms', delayFactor: 0, addressDelay: '0ms', icons: 'off' });
  for (const args of [['crawl', ...web.seeds], ['build'], ['rank']]) {
    const { code, stderr } = await gyre([...args, ...options], { GYRE_MEANING_MODEL: 'off' });
    assert.equal(code, 0, stderr);
  }
  return directoryAt(join(root, 'data', 'index'));
}

/** Returns a sentence for each feature that differs. */
function differences(ours: LinkFeatures, expected: LinkFeatures): string[] {
  return [...expected].flatMap(([url, features]) =>
    [...features].flatMap(([feature, value]) => {
      const found = ours.get(url)!.get(feature) ?? Number.NaN;
      return Math.abs(found - value) <= TOLERANCE ? [] : [`${feature} of ${url}: ${found}, not ${value}`];
    }),
  );
}

/** The answer of an engine to a query over HTTP, without what depends on the time of the crawl. */
interface Listed {
  total: number;
  spelling: string;
  scores: Map<string, number>;
}

async function search(address: string, query: string): Promise<Listed> {
  const response = await fetch(`${address}/api/v1/search?limit=50&q=${encodeURIComponent(query)}`);
  assert.equal(response.status, 200, query);
  const { total, results, spelling } = (await response.json()) as {
    total: number;
    results: { url: string; score: number }[];
    spelling?: { query: string };
  };
  const scores = new Map(results.map(({ url, score }) => [url, score]));
  return { total, spelling: spelling?.query ?? '', scores };
}

async function suggestions(address: string, prefix: string): Promise<string[]> {
  const response = await fetch(`${address}/api/v1/suggest?q=${encodeURIComponent(prefix)}`);
  assert.equal(response.status, 200, prefix);
  const found = (await response.json()) as { suggestions: { text: string }[] };
  return found.suggestions.map(({ text }) => text);
}

/**
 * Returns queries of every kind that needs data of all shards: meaning, links, similar pages, phrases, prefixes,
 * misspelled words, and words of anchor texts.
 */
function queriesFor(web: SyntheticWeb): string[] {
  const pages = [...web.plan.plainPages(web.port)].filter((_, at) => at % 37 === 5);
  return pages.flatMap(({ url, title, uniqueWord }) => [
    ...[title, `"${title}"`, `link:${url}`, `related:${url}`],
    ...[uniqueWord, `${uniqueWord.slice(0, 3)}*`, `${uniqueWord.slice(0, 2)}q${uniqueWord.slice(3)}`],
  ]);
}

/** Returns a sentence for each query whose results differ. */
async function differentAnswers(ours: string, alone: string, queries: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const query of queries) {
    const [here, expected] = [await search(ours, query), await search(alone, query)];
    if (here.total !== expected.total || here.spelling !== expected.spelling)
      found.push(
        `${query}: ${here.total} results "${here.spelling}", not ${expected.total} "${expected.spelling}"`,
      );
    for (const [url, score] of expected.scores) {
      const own = here.scores.get(url) ?? Number.NaN;
      if (!(Math.abs(own - score) <= TOLERANCE * Math.max(1, score)))
        found.push(`${query}: ${url} has ${own}, not ${score}`);
    }
  }
  return found;
}

interface Compared {
  cluster: TestCluster;
  web: SyntheticWeb;
  /** The address of a gateway, and of a single process with the same pages. */
  gateway: string;
  alone: string;
}

/** Checks the link features of all pages in the shards against those of the index of a single process. */
async function assertSameFeatures({ cluster, web }: Compared, index: Directory): Promise<void> {
  const expected = await readFeatures(index, web);
  const anchored = [...expected.values()].filter((features) => (features.get('anchor') ?? 0) > 0);
  assert.ok(anchored.length > PAGES / 2, 'most pages are found by their anchor texts');
  assert.ok(new Set([...expected.values()].map((features) => features.get('pageRank'))).size > PAGES / 4);
  let found: string[] = [];
  const isSame = async () => {
    const shards = [await cluster.openShard(0), await cluster.openShard(1)];
    const [first, second] = await Promise.all(shards.map((shard) => readFeatures(shard, web)));
    for (const [url, features] of second!) if (features.size > 0) first!.set(url, features);
    found = differences(first!, expected);
    return found.length === 0;
  };
  await until('the ranks are applied', isSame).catch(() => assert.deepEqual(found.slice(0, 10), []));
}

/** Checks the lists, scores, corrections and suggestions of the gateway against those of the single process. */
async function assertSameAnswers({ web, gateway, alone }: Compared): Promise<void> {
  const queries = queriesFor(web);
  assert.ok((await search(alone, queries[2]!)).total > 0, 'the page is linked from others');
  const words = new Set([...web.plan.plainPages(web.port)].map(({ title }) => title.slice(0, 3)));
  const prefixes = [...words].slice(0, 8);
  assert.ok((await suggestions(alone, prefixes[0]!)).length > 0);
  let found: string[] = [];
  const isSame = async () => {
    found = await differentAnswers(gateway, alone, queries);
    for (const prefix of prefixes) {
      const [here, there] = [await suggestions(gateway, prefix), await suggestions(alone, prefix)];
      if (!isDeepStrictEqual(here.sort(), there.sort())) found.push(`${prefix}: ${here}, not ${there}`);
    }
    return found.length === 0;
  };
  await until('the answers are the same', isSame).catch(() => assert.deepEqual(found.slice(0, 20), []));
}

test('a cluster has the ranks and gives the answers of a single process', async (context) => {
  const environment = { GYRE_MEANING_MODEL: writeTinyModel() };
  const web = await openWeb(context, PAGES);
  const cluster = await openCluster(context, web, { shards: 2 });
  const listen = ['--listen', `127.0.0.1:${await freePort()}`];
  const worker = await cluster.start('crawl,index,rank,search', listen, { environment });
  const ranker = await cluster.start('rank');
  await worker.told(/search node listens/);
  const node = await cluster.start('gateway', ['--port', String(await freePort())], { environment });
  const [, gateway] = await node.told(/gateway listens.*?(http:\/\/[\d.]+:\d+)/);
  const index = await crawlAlone(context, web);
  const data = join(index.path, '..');
  const embedded = await gyre(['embed', '--data', data], environment);
  assert.equal(embedded.code, 0, embedded.stderr);
  const single = new Gyre(['serve', '--data', data, '--port', '0'], environment);
  context.after(() => single.kill('SIGKILL'));
  const [, alone] = await single.printed(/search at (http:\/\/[\d.]+:\d+)/);
  await until('every page is indexed', () => isDone(cluster, web));
  const compared = { cluster, web, gateway: gateway!, alone: alone! };
  await assertSameFeatures(compared, index);
  await assertSameAnswers(compared);
  for (const each of [worker, ranker, node]) {
    const { code, stderr } = await each.kill('SIGTERM');
    assert.equal(code, 0, stderr);
  }
});
