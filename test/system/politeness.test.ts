/** Delays beyond the configured one, by the hosts' own log. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { type TestContext, test } from 'node:test';
import { sleep } from '../../src/base/mod.ts';
import { gyre, temporaryDirectory } from '../helpers/gyre.ts';
import { crawlOptions } from '../helpers/synthetic-crawl.ts';

/** Timers and the kernel blur moments by about this much. */
const TOLERANCE_MS = 3;

interface Entry {
  host: string;
  startedAt: number;
  finishedAt: number;
}

interface Web {
  port: number;
  log: Entry[];
}

/** Every host has three pages, and takes its time for each. */
async function serve(context: TestContext, answerMs: (host: string) => number): Promise<Web> {
  const log: Entry[] = [];
  const server = createServer(async (request, response) => {
    const [host = ''] = (request.headers.host ?? '').split(':');
    const entry = { host, startedAt: performance.now(), finishedAt: 0 };
    log.push(entry);
    await sleep(answerMs(host));
    entry.finishedAt = performance.now();
    if (request.url === '/robots.txt') response.writeHead(404).end();
    else response.setHeader('content-type', 'text/html').end('<a href=/a>a</a> <a href=/b>b</a>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  context.after(() => server.close());
  return { port: (server.address() as AddressInfo).port, log };
}

async function crawl(context: TestContext, seeds: string[], settings: object): Promise<void> {
  // Without icons, so that every host is asked for as much.
  const options = crawlOptions(temporaryDirectory(context), { icons: 'off', ...settings });
  const { code, stderr } = await gyre(['crawl', ...options, ...seeds]);
  assert.equal(code, 0, stderr);
}

test('a host that takes long to answer is left alone for a multiple of that', async (context) => {
  const answerMs = 120;
  const web = await serve(context, (host) => (host === 'slow.test' ? answerMs : 0));
  const seeds = ['slow.test', 'quick.test'].map((host) => `http://${host}:${web.port}/`);
  await crawl(context, seeds, { delay: '5ms', delayFactor: 4 });
  const slow = web.log.filter(({ host }) => host === 'slow.test');
  assert.equal(slow.length, 4, 'robots.txt and three pages');
  const gaps = slow.slice(1).map(({ startedAt }, at) => startedAt - slow[at]!.finishedAt);
  assert.ok(
    Math.min(...gaps) >= 4 * answerMs - TOLERANCE_MS,
    `gaps of ${gaps.map(Math.round).join(', ')} ms`,
  );
});

test('hosts at one address are asked one after the other, from the first request on', async (context) => {
  const web = await serve(context, () => 0);
  // Loopback is exempt from this delay, but not under this name of it.
  const address = '::ffff:127.0.0.1';
  if (!(await isReachable(address, web.port))) return context.skip('there is no IPv6');
  const seeds = Array.from({ length: 5 }, (_, host) => `http://h${host}.test:${web.port}/`);
  const addressDelayMs = 150;
  await crawl(context, seeds, {
    delay: '1ms',
    addressDelay: `${addressDelayMs}ms`,
    resolve: { '*.test': address },
  });
  assert.equal(web.log.length, 5 * 4, 'robots.txt and three pages of each');
  const gaps = web.log.slice(1).map(({ startedAt }, at) => startedAt - web.log[at]!.startedAt);
  // A request that starts in time may be on its way for longer than the one behind it.
  const early = gaps.filter((gap) => gap < addressDelayMs / 2);
  assert.deepEqual(early, [], `gaps of ${gaps.map(Math.round).join(', ')} ms`);
});

function isReachable(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });
}
