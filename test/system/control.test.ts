/** A crawl does as it is told from another terminal, and tells what it did. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { sleep } from '../../src/base/mod.ts';
import { Gyre, gyre, temporaryDirectory } from '../helpers/gyre.ts';
import { writeConfig } from '../helpers/synthetic-crawl.ts';
import { type SyntheticWeb, startWeb } from '../web/mod.ts';

const PAGES = 900;

test('a crawl is paused, resumed and stopped by other commands, and goes on later', async (context) => {
  const web = await startWeb({ seed: 5, hosts: 10, pages: PAGES });
  context.after(() => web.close());
  const directory = temporaryDirectory(context);
  const data = ['--data', join(directory, 'data')];
  const crawlArguments = [
    'crawl',
    ...data,
    '--config',
    writeConfig(directory, { delay: '60ms' }),
    ...web.seeds,
  ];
  const crawl = new Gyre(crawlArguments);
  await until(() => web.log.length > 60);
  await gyre(['pause', ...data]);
  const paused = await quietCount(web);
  assert.ok(paused < PAGES, 'it was still crawling');
  const status = await gyre(['status', ...data, '--hosts']);
  assert.match(status.stdout, /h\d+\.test:\d+: (may be asked now|its delay)/);
  await gyre(['resume', ...data]);
  await until(() => web.log.length > paused + 40);
  await gyre(['stop', ...data]);
  assert.equal((await crawl.ended()).code, 0);
  assert.ok(web.log.length < PAGES);

  assert.equal((await gyre(crawlArguments)).code, 0);
  const lines = readFileSync(join(directory, 'data', 'crawl.log'), 'utf8')
    .trim()
    .split('\n');
  const done = lines.map((line) => JSON.parse(line)).filter((line) => line.state === 'done');
  assert.equal(new Set(done.map((line) => line.url)).size, PAGES);
  assert.equal(done.length, PAGES, 'every page was fetched once');
});

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await sleep(10);
}

/** The length of the log when it has not grown for a while. */
async function quietCount(web: SyntheticWeb): Promise<number> {
  for (let last = -1; ; ) {
    await sleep(800);
    if (web.log.length === last) return last;
    last = web.log.length;
  }
}
