/** Runs the short form of the kill test: a crawl that is killed at any time continues without loss. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { temporaryDirectory } from '../helpers/gyre.ts';
import { killCampaign } from '../helpers/kill-campaign.ts';
import { testSeed } from '../helpers/seed.ts';

test('a crawl killed three times loses and repeats nothing (npm run test:kill for more)', async (context) => {
  const seed = testSeed();
  const directory = temporaryDirectory(context);
  const say = (line: string) => context.diagnostic(line);
  say(`seed ${seed}`);
  const report = await killCampaign({ seed, kills: 3, hosts: 30, pages: 800, directory, say });
  assert.deepEqual(report.broken, [], `seed ${seed}`);
  assert.equal(report.crawlKills, 3, 'it was still running each time');
  assert.ok(report.searched > 1000, `${report.searched} documents were searched for`);
});
