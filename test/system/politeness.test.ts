/**
 * Tests the cases in which the delay between requests must be longer than the configured delay. The logs of the
 * hosts have the times of the requests.
 */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { type TestContext, test } from 'node:test';
import { sleep } from '../../src/base/mod.ts';
import { gyre, temporaryDirectory } from '../helpers/gyre.ts';
import { crawlOptions } from '../helpers/synthetic-crawl.ts';

/** The tolerance for the imprecision of timers and of the kernel. */
const TOLERANCE_MS = 3;

/** The maximum time between the crawler's decision to send a request and its arrival at the server. */
const TRAVEL_MS = 300;
const LOOK_MS = 5;

interface Entry {
  host: string;
  /**
   * The time of a tick of the server's timer shortly before the server read the request. The request may have
   * arrived at any time since this tick.
   */
  lookedAt: number;
  startedAt: number;
  finishedAt: number;
}

interface Web {
  port: number;
  log: Entry[];
  /** Returns the longest stall of the server's timer. The crawler may have been stalled as long. */
  longestStallMs(): number;
}

/** Starts hosts with three pages each. Each response is delayed by `answerMs`. */
async function serve(context: TestContext, answerMs: (host: string) => number): Promise<Web> {
  const log: Entry[] = [];
  let looks: [number, number] = [performance.now(), performance.now()];
  let longestStallMs = 0;
  const timer = setInterval(() => {
    looks = [looks[1], performance.now()];
    longestStallMs = Math.max(longestStallMs, looks[1] - looks[0] - LOOK_MS);
  }, LOOK_MS);
  context.after(() => clearInterval(timer));
  const server = createServer(async (request, response) => {
    const [host = ''] = (request.headers.host ?? '').split(':');
    // Uses the last tick but one: if the timer was late, its tick came before the requests that had arrived in
    // the meantime were read.
    const entry = { host, lookedAt: looks[0], startedAt: performance.now(), finishedAt: 0 };
    log.push(entry);
    await sleep(answerMs(host));
    entry.finishedAt = performance.now();
    if (request.url === '/robots.txt') response.writeHead(404).end();
    else response.setHeader('content-type', 'text/html').end('<a href=/a>a</a> <a href=/b>b</a>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  context.after(() => server.close());
  return { port: (server.address() as AddressInfo).port, log, longestStallMs: () => longestStallMs };
}

async function crawl(context: TestContext, seeds: string[], settings: object): Promise<void> {
  // Icons are off, so that every host gets the same number of requests.
  const options = crawlOptions(temporaryDirectory(context), { icons: 'off', ...settings });
  const { code, stderr } = await gyre(['crawl', ...options, ...seeds]);
  assert.equal(code, 0, stderr);
}

test('a slow host gets its next request after a multiple of its response time', async (context) => {
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

test('hosts at one IP address get requests one after the other, from the first on', async (context) => {
  const web = await serve(context, () => 0);
  // An IPv6 form of the loopback address. The delay per IP address does not apply to loopback addresses, but it
  // applies to this form.
  const address = '::ffff:127.0.0.1';
  if (!(await isReachable(address, web.port))) return context.skip('there is no IPv6');
  const seeds = Array.from({ length: 3 }, (_, host) => `http://h${host}.test:${web.port}/`);
  const addressDelayMs = 400;
  await crawl(context, seeds, {
    delay: '1ms',
    addressDelay: `${addressDelayMs}ms`,
    resolve: { '*.test': address },
  });
  assert.equal(web.log.length, 3 * 4, 'robots.txt and three pages of each');
  const gaps = web.log.slice(1).map(({ startedAt }, at) => startedAt - web.log[at]!.startedAt);
  const travelMs = TRAVEL_MS + web.longestStallMs();
  assert.deepEqual(
    tooEarly(web.log, addressDelayMs, travelMs),
    [],
    `gaps of ${gaps.map(Math.round).join(', ')} ms`,
  );
});

test('the checker detects two requests at once and many slightly early requests', () => {
  const arriving = (...moments: number[]) =>
    moments.map((startedAt) => ({ host: '', lookedAt: startedAt - LOOK_MS, startedAt, finishedAt: 0 }));
  assert.deepEqual(tooEarly(arriving(0, 400, 800, 1200), 400), []);
  assert.deepEqual(tooEarly(arriving(250, 400, 800, 1200), 400), [], 'the first was on its way for long');
  assert.deepEqual(tooEarly(arriving(0, 400, 420, 1200), 400), [
    [0, 2],
    [1, 2],
  ]);
  assert.notDeepEqual(tooEarly(arriving(0, 200, 400, 600, 800), 400), []);
  const stalled = arriving(0, 400, 800, 1200).map((entry) => ({ ...entry, lookedAt: 0, startedAt: 1200 }));
  assert.deepEqual(tooEarly(stalled, 400), [], 'the server did not look for so long');
});

/**
 * Returns the pairs of requests that arrived too close to each other. If n - 1 other requests came between two
 * requests, the second must have started n times `delayMs` after the first. From this time, the longest time
 * that the first request may have spent on its way or waiting at the server is subtracted once.
 */
function tooEarly(log: readonly Entry[], delayMs: number, travelMs = TRAVEL_MS): [number, number][] {
  return log.flatMap(({ lookedAt }, first) =>
    log.flatMap(({ startedAt }, second): [number, number][] => {
      const leastMs = (second - first) * delayMs - travelMs;
      return second > first && startedAt - lookedAt < leastMs ? [[first, second]] : [];
    }),
  );
}

function isReachable(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });
}
