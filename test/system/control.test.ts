/** Tests that a crawl can be controlled from another terminal, and that it reports its state. */
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { sleep } from '../../src/base/mod.ts';
import { type SyntheticWeb, startWeb } from '../../src/synthetic-web/server.ts';
import { Gyre, gyre, temporaryDirectory } from '../helpers/gyre.ts';
import { crawlOptions, writeConfig } from '../helpers/synthetic-crawl.ts';

const PAGES = 600;

test('a crawl is paused, resumed and stopped by other commands, and continues later', async (context) => {
  const web = await startWeb({ seed: 5, hosts: 10, pages: PAGES });
  context.after(() => web.close());
  const directory = temporaryDirectory(context);
  const data = ['--data', join(directory, 'data')];
  const slowly = writeConfig(directory, { delay: '500ms' });
  const crawl = new Gyre(['crawl', ...data, '--config', slowly, ...web.seeds]);
  await until(() => web.log.length > 60);
  await gyre(['pause', ...data]);
  const paused = await quietCount(web);
  assert.ok(paused < PAGES, 'it was still crawling');
  const status = await gyre(['status', ...data, '--hosts']);
  assert.match(status.stdout, /h\d+\.test:\d+: (ready|its delay)/);
  assert.match(status.stdout, /crawl +paused; gyre resume --data \S+ continues/);
  await until(() => /paused, gyre resume --data \S+ continues; crawled/.test(crawl.stderr));
  await gyre(['resume', ...data]);
  await until(() => web.log.length > paused + 20);
  assert.match((await gyre(['status', ...data])).stdout, /crawl +running/);
  await gyre(['stop', ...data]);
  assert.equal((await crawl.ended()).code, 0);
  assert.match(crawl.stderr, /\nstopped: everything is saved, and gyre crawl --data \S+ continues\n$/);
  assert.ok(web.log.length < PAGES);
  assert.match((await gyre(['status', ...data])).stdout, /crawl +not running; gyre up --data \S+ continues/);

  assert.equal(
    (await gyre(['crawl', ...data, '--config', writeConfig(directory, { delay: '2ms' })])).code,
    0,
  );
  const lines = readFileSync(join(directory, 'data', 'crawl.log'), 'utf8')
    .trim()
    .split('\n');
  const done = lines.map((line) => JSON.parse(line)).filter((line) => line.state === 'done');
  assert.equal(new Set(done.map((line) => line.url)).size, PAGES);
  assert.equal(done.length, PAGES, 'every page was fetched once');
});

test('without a crawl, stop is an error, and pause applies to the next crawl', async (context) => {
  const web = await startWeb({ seed: 8, hosts: 2, pages: 4 });
  context.after(() => web.close());
  const directory = temporaryDirectory(context);
  const data = ['--data', join(directory, 'data')];
  const config = ['--config', writeConfig(directory, { delay: '2ms' })];
  assert.equal((await gyre(['crawl', ...data, ...config, ...web.seeds])).code, 0);
  const stop = await gyre(['stop', ...data]);
  assert.equal(stop.code, 2);
  assert.match(stop.stderr, /^gyre: no crawl of \S+ is running\n$/);
  assert.match((await gyre(['resume', ...data])).stdout, /no crawl of \S+ is running or paused/);
  const above = ['--data', temporaryDirectory(context)];
  mkdirSync(join(above[1]!, 'demo'));
  const mistaken = await gyre(['pause', ...above]);
  assert.match(mistaken.stderr, /^gyre: no crawl of \S+ is running; the demonstration is in \S+demo\n$/);
  assert.deepEqual(readdirSync(above[1]!), ['demo'], 'nothing is left there');
  const pause = await gyre(['pause', ...data]);
  assert.equal(pause.code, 0);
  assert.match(
    pause.stdout,
    /no crawl of \S+ is running; the next crawl waits until gyre resume --data \S+\n/,
  );
  assert.match(
    (await gyre(['status', ...data])).stdout,
    /crawl +paused and not running; run gyre resume --data \S+, then gyre up --data/,
  );
  const asked = web.log.length;
  const up = new Gyre(['up', ...data, ...config, '--port', '0']);
  context.after(() => up.kill('SIGKILL'));
  await up.printed(/search at/);
  await until(() => /paused, gyre resume --data \S+ continues; \d+ indexed; crawled/.test(up.stderr));
  assert.equal(web.log.length, asked, 'nothing is asked for in a pause');
  // The existing ranks are shown while another process is indexing. `gyre up` computes the first ones.
  let top = await gyre(['rank', ...data, '--top', '2']);
  while (top.stderr.includes('no ranks found')) top = await gyre(['rank', ...data, '--top', '2']);
  assert.equal(top.code, 0, top.stderr);
  assert.match(top.stdout, /another process is using the index; showing the ranks of its last run\n\d/);
  assert.match(
    (await gyre(['rank', ...data])).stderr,
    /held by another process \(gyre up, gyre build, gyre rank or gyre doctor\)/,
  );
  assert.match((await gyre(['resume', ...data])).stdout, /sent resume to the crawl/);
  await gyre(['stop', ...data]);
  assert.equal((await up.ended()).code, 0);
});

test('gyre up is paused, stopped and started over HTTP, and keeps serving', async (context) => {
  const web = await startWeb({ seed: 6, hosts: 10, pages: PAGES });
  context.after(() => web.close());
  const directory = temporaryDirectory(context);
  const options = crawlOptions(directory, { delay: '60ms' });
  const up = new Gyre(['up', ...options, '--port', '0', ...web.seeds]);
  context.after(() => up.kill('SIGKILL'));
  const [, address] = await up.printed(/search at (http:\S+)/);
  const act = async (action: string) => {
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ action });
    return (await fetch(`${address}/api/v1/admin/crawl`, { method: 'POST', headers, body })).status;
  };
  await until(() => web.log.length > 60);
  assert.equal(await act('pause'), 202);
  const paused = await quietCount(web);
  assert.equal(await act('resume'), 202);
  await until(() => web.log.length > paused + 20);
  assert.equal(await act('stop'), 202);
  const stopped = await quietCount(web);
  assert.ok(stopped < PAGES, 'it was still crawling');
  assert.equal((await fetch(`${address}/healthz`)).status, 200);
  assert.equal(await act('start'), 202);
  await until(() => web.log.length > stopped + 20);
  assert.equal(await act('start'), 409, 'it is running');
  assert.equal(await act('stop'), 202);
  assert.equal(await act('start'), 202, 'the crawl starts again when it has stopped');
  const restarted = web.log.length;
  await until(() => web.log.length > restarted + 20);
  assert.equal(await act('stop'), 202);
  await until(async () => (await act('stop')) === 409);
  await gyre(['stop', '--data', join(directory, 'data')]);
  assert.equal((await up.ended()).code, 0, 'gyre stop ends gyre up, also when its crawl is stopped');
});

test('gyre stop ends gyre up also when no URL is left', async (context) => {
  const web = await startWeb({ seed: 7, hosts: 2, pages: 4 });
  context.after(() => web.close());
  const directory = temporaryDirectory(context);
  const data = ['--data', join(directory, 'data')];
  const config = writeConfig(directory, { delay: '2ms' });
  const up = new Gyre(['up', ...data, '--config', config, '--port', '0', ...web.seeds]);
  context.after(() => up.kill('SIGKILL'));
  await up.printed(/ready: 4 documents/);
  assert.match((await gyre(['status', ...data, '--hosts'])).stdout, /no URL is queued/);
  await gyre(['stop', ...data]);
  const late = sleep(60_000).then(() => null);
  assert.equal((await Promise.race([up.ended(), late]))?.code, 0);
  assert.match(up.stderr, /stopped: everything is saved, and gyre up --data \S+ continues\n$/);
});

async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await sleep(10);
}

/** Waits until the request log has not grown for a while, and returns its length. */
async function quietCount(web: SyntheticWeb): Promise<number> {
  for (let last = -1; ; ) {
    await sleep(800);
    if (web.log.length === last) return last;
    last = web.log.length;
  }
}
