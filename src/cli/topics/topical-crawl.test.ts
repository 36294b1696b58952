import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gyre, temporaryDirectory } from '../../../test/helpers/gyre.ts';
import { crawlOptions } from '../../../test/helpers/synthetic-crawl.ts';
import { startWeb } from '../../synthetic-web/mod.ts';

const OFF = { GYRE_MEANING_MODEL: 'off' };

test('gyre crawl --topic fetches the pages on its topic first, also after a restart', async (context) => {
  const web = await startWeb({ seed: 1, hosts: 1, pages: 1, features: { scatteredTopic: 300 } });
  context.after(() => web.close());
  const settings = { delay: '0s', delayFactor: 0, icons: 'off', concurrency: 1 };
  const entry = web.url('scattered-0.test', '/');
  const truth = new Map(web.plan.truth.scatteredTopic.map(({ host, path, topic }) => [host + path, topic]));
  /** Crawls in two runs, and returns the share of the fetched pages that are on the topic. */
  const harvestOf = async (...args: string[]) => {
    const options = crawlOptions(temporaryDirectory(context), settings);
    const words = ['keel', 'mast', 'rudder', 'hull', 'jib'];
    await gyre(['topic', 'train', 'sailing', '--words', ...words, ...options.slice(0, 2)]);
    const before = web.log.length;
    for (const seeds of [[entry], []]) {
      const run = await gyre(['crawl', ...seeds, ...args, '--max-pages', '40', ...options], OFF);
      assert.equal(run.code, 0, run.stderr);
    }
    const topics = web.log.entries(before).flatMap(({ host, path }) => truth.get(host + path) ?? []);
    const pages = web.log.entries(before).filter(({ host, path }) => truth.has(host + path));
    return { harvest: topics.filter((topic) => topic === 'sailing').length / pages.length, options };
  };
  const topical = await harvestOf('--topic', 'sailing');
  const plain = await harvestOf();
  assert.ok(topical.harvest > 1.3 * plain.harvest, `${topical.harvest} against ${plain.harvest}`);
  const unknown = await gyre(['crawl', '--topic', 'chess', ...topical.options], OFF);
  assert.match(unknown.stderr, /unknown topic chess: the topics are sailing/);
});
