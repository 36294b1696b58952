/**
 * Compares the ranks of a cluster with the ranks of a single process that crawled the same synthetic web.
 * Compares page ranks, host signals and anchor texts of every page by the features that searches in both
 * indexes return.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type Directory, directoryAt, silentLog, systemClock } from '../../src/base/mod.ts';
import { openSearcher } from '../../src/query/mod.ts';
import type { SyntheticWeb } from '../../src/synthetic-web/server.ts';
import type { CanonicalUrl } from '../../src/url/mod.ts';
import { isDone, openCluster, openWeb, until } from '../helpers/cluster-crawl.ts';
import { gyre, temporaryDirectory } from '../helpers/gyre.ts';
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

test('the pages of a cluster have the ranks, host signals and anchor texts of a single process', async (context) => {
  const web = await openWeb(context, PAGES);
  const cluster = await openCluster(context, web, { shards: 1 });
  const nodes = await Promise.all(['crawl,index,rank', 'rank'].map((roles) => cluster.start(roles)));
  await until('every page is indexed', () => isDone(cluster, web));
  const expected = await readFeatures(await crawlAlone(context, web), web);
  const anchored = [...expected.values()].filter((features) => (features.get('anchor') ?? 0) > 0);
  assert.ok(anchored.length > PAGES / 2, 'most pages are found by their anchor texts');
  assert.ok(new Set([...expected.values()].map((features) => features.get('pageRank'))).size > PAGES / 4);
  let found: string[] = [];
  const isSame = async () => {
    found = differences(await readFeatures(await cluster.openShard(0), web), expected);
    return found.length === 0;
  };
  await until('the ranks are applied', isSame).catch(() => assert.deepEqual(found.slice(0, 10), []));
  for (const node of nodes) {
    const { code, stderr } = await node.kill('SIGTERM');
    assert.equal(code, 0, stderr);
  }
});
