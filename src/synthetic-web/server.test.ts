import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { sleep } from '../base/mod.ts';
import { ask, readLog } from './ask.ts';
import { politenessViolations, robotsViolations } from './checkers.ts';
import { type SyntheticWeb, startWeb } from './server.ts';

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url));

describe('a served web', () => {
  let web: SyntheticWeb;
  before(async () => {
    web = await startWeb({ seed: 3, hosts: 12, pages: 60, features: { hanging: 3 } });
  });
  after(() => web.close());

  test('sends every plain page as the plan renders it', async () => {
    for (const { host, path, number } of web.plan.plainPages(web.port)) {
      const reply = await ask(web.port, host, path);
      assert.equal(reply.status, 200);
      assert.ok(reply.body.equals(web.plan.render(number, web.port)));
    }
  });

  test('answers 404 for a page that is not there and 421 for a host that is not there', async () => {
    assert.equal((await ask(web.port, 'h0000.test', '/nothing')).status, 404);
    assert.equal((await ask(web.port, 'h0000.test', '/nothing-1.html')).status, 404);
    assert.equal((await ask(web.port, 'nobody.test', '/')).status, 421);
  });

  test('answers a matching ETag with 304 and HEAD without a body', async () => {
    const { headers } = await ask(web.port, 'h0001.test', '/');
    const again = await ask(web.port, 'h0001.test', '/', { headers: { 'if-none-match': headers.etag! } });
    assert.deepEqual([again.status, again.body.length], [304, 0]);
    const head = await ask(web.port, 'h0001.test', '/', { method: 'HEAD' });
    assert.deepEqual([head.status, head.body.length], [200, 0]);
  });

  test('has seeds that answer', async () => {
    for (const seed of web.seeds.map((url) => new URL(url))) {
      assert.equal((await ask(web.port, seed.hostname, seed.pathname)).status, 200, seed.href);
    }
  });

  test('logs each request with its times, headers and bytes', async () => {
    const from = web.log.length;
    const headers = { 'user-agent': 'probe/1', 'if-none-match': '"x"', 'accept-encoding': 'br' };
    const { body } = await ask(web.port, 'H0002.test', '/', { headers });
    const [entry, ...rest] = web.log.entries(from);
    assert.deepEqual(rest, []);
    assert.equal(entry!.number, from);
    assert.deepEqual([entry!.host, entry!.path, entry!.status], ['h0002.test', '/', 200]);
    assert.deepEqual([entry!.userAgent, entry!.ifNoneMatch, entry!.acceptEncoding], ['probe/1', '"x"', 'br']);
    assert.ok(entry!.bytesSent > body.length);
    assert.ok(entry!.finishedAt! >= entry!.startedAt);
    assert.equal(entry!.outcome, 'complete');
  });

  test('tells its log and truth on the control host without logging that', async () => {
    const entries = await readLog(web.port, 2);
    assert.deepEqual(entries, web.log.entries(2));
    const truth = JSON.parse((await ask(web.port, 'control.test', '/truth')).body.toString());
    assert.deepEqual(truth.seeds, web.seeds);
    assert.deepEqual(truth.truth.hanging, web.plan.truth.hanging);
    const pages = (await ask(web.port, 'control.test', '/pages')).body.toString().trim().split('\n');
    assert.deepEqual(
      pages.map((line) => JSON.parse(line)),
      [...web.plan.plainPages(web.port)],
    );
    assert.ok(web.log.entries().every(({ host }) => host !== 'control.test'));
  });
});

describe('the log as a witness', () => {
  let web: SyntheticWeb;
  before(async () => {
    web = await startWeb({ seed: 3, hosts: 4, pages: 24, features: { robots: 1 } });
  });
  after(() => web.close());
  const limits = { delayMs: 10, toleranceMs: 2 };

  test('clears a crawl that reads robots.txt and waits', async () => {
    const allowed = web.plan.truth.robots.filter(({ crawlDelayMs }) => crawlDelayMs === 0);
    const robots = allowed.map((truth) => ({ host: truth.host, paths: truth.allowed }));
    const plain = Map.groupBy(web.plan.plainPages(web.port), ({ host }) => host);
    const hosts = [...plain].map(([host, pages]) => ({ host, paths: pages.map(({ path }) => path) }));
    const crawl = async ({ host, paths }: { host: string; paths: string[] }) => {
      for (const path of ['/robots.txt', ...paths]) {
        await ask(web.port, host, path);
        await sleep(limits.delayMs + 1);
      }
    };
    await Promise.all([...robots, ...hosts].map(crawl));
    assert.ok(web.log.length > 80);
    assert.deepEqual(politenessViolations(web.log, web.plan, limits), []);
    assert.deepEqual(robotsViolations(web.log, web.plan), []);
  });

  test('convicts a crawl that does neither', async () => {
    web.log.clear();
    const { host, disallowed } = web.plan.truth.robots[0]!;
    await Promise.all(['/', ...disallowed].map((path) => ask(web.port, host, path)));
    await ask(web.port, host, '/public/a');
    const found = [
      ...politenessViolations(web.log, web.plan, limits),
      ...robotsViolations(web.log, web.plan),
    ];
    const rules = new Set(found.map(({ rule }) => rule));
    assert.ok(rules.has('too-soon') && rules.has('disallowed') && rules.has('unread'));
    assert.ok(found.every(({ message }) => message.includes(host)));
  });
});

test('close ends answers that hang', async () => {
  const web = await startWeb({
    seed: 3,
    hosts: 1,
    pages: 1,
    features: { hanging: 3, endlessStream: 2, slow: 2 },
  });
  const { hanging, endlessStream, slow } = web.plan.truth;
  const asked = [...hanging, ...endlessStream, ...slow].map(({ host, path }) => ask(web.port, host, path));
  while (web.log.length < asked.length) await sleep(5);
  await web.close();
  for (const reply of await Promise.all(asked)) assert.notEqual(reply.end, 'complete');
});

test('a port in use is reported', async () => {
  const web = await startWeb({ seed: 1, hosts: 1, pages: 1 });
  await assert.rejects(startWeb(web.plan, { port: web.port }), { code: 'EADDRINUSE' });
  await web.close();
});

describe('as a process of its own', () => {
  test('it prints its port and seeds, serves, and ends on SIGTERM', async () => {
    const args = ['--seed', '3', '--hosts', '4', '--pages', '8', '--features', 'redirects,errors404=2'];
    const child = spawn(process.execPath, [MAIN, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = await once(createInterface(child.stdout), 'line');
    const { port, seeds } = JSON.parse(line);
    assert.equal(seeds[0], `http://h0000.test:${port}/`);
    assert.equal((await ask(port, 'h0000.test', '/')).status, 200);
    assert.deepEqual(
      (await readLog(port)).map(({ host }) => host),
      ['h0000.test'],
    );
    child.kill('SIGTERM');
    assert.deepEqual(await once(child, 'exit'), [0, null]);
  });

  test('a wrong option is one line and exit code 2', async () => {
    for (const args of [
      ['--colour', 'red'],
      ['--features', 'nonsense'],
      ['--pages', 'many'],
      ['--pages', '3', '--hosts', '9'],
    ]) {
      const child = spawn(process.execPath, [MAIN, ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
      const errors = await child.stderr.setEncoding('utf8').toArray();
      if (child.exitCode === null) await once(child, 'exit');
      assert.equal(child.exitCode, 2);
      assert.match(errors.join(''), /^web: [^\n]+\n$/);
    }
  });
});
