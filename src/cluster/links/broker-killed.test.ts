/** Kills RabbitMQ while links are on their way. The test has its own server, because others use the shared one. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { silentLog, sleep } from '../../base/mod.ts';
import { linksTo, urlsOf } from '../../crawl/mod.ts';
import { canonicalize, partitionOf } from '../../url/mod.ts';
import { startService } from '../test-service.fixture.ts';
import { RabbitLinkExchange } from './rabbit-link-exchange.ts';

const VNODE = partitionOf('example.org');

test('a killed RabbitMQ loses no confirmed link, and nodes continue after its restart', async (t) => {
  const { values, stop } = await startService('rabbitmq', ['TEST_RABBITMQ_URL', 'TEST_RABBITMQ_START']);
  const [url, start] = values as [string, string];
  const exchanges: RabbitLinkExchange[] = [];
  t.after(async () => {
    for (const exchange of exchanges) await exchange.close();
    await end(start, 'SIGKILL');
    await stop();
  });
  const commits = Promise.withResolvers<void>();
  const open = async (untilCommitted: () => Promise<void>) => {
    const options = { url, cluster: 'killed', hostGroups: [], untilCommitted, log: silentLog };
    const exchange = await RabbitLinkExchange.open(options);
    exchanges.push(exchange);
    return exchange;
  };
  const sender = await open(async () => {});
  const owner = await open(() => commits.promise);
  const received = new Map<string, number>();
  owner.onReceived(async ({ urls }) => {
    for (const found of urlsOf(urls)) received.set(found, (received.get(found) ?? 0) + 1);
  });
  await owner.setOwned([VNODE]);
  // RabbitMQ 3.10 writes its list of quorum queues to disk when it stops, or only after minutes. A queue that
  // is declared just before a kill is not recovered, so the server stops once after the queues are declared.
  await end(start, 'SIGTERM');
  spawn(start, { stdio: 'ignore' });
  const expected: string[] = [];
  const send = async (path: string) => {
    const found = canonicalize(`https://example.org/${path}`)!;
    expected.push(found);
    await sender.send(linksTo([found], 1), null);
  };

  // The owner receives these links, but has not committed them when the server is killed.
  await send('received');
  await sender.flush();
  await waitUntil(() => received.size === 1);
  // The messages of these links are confirmed; some are still in the queue.
  for (let number = 0; number < 40; number++) {
    await send(`confirmed-${number}`);
    await sender.flush();
  }
  await end(start, 'SIGKILL');
  await send('sent-while-down');
  let isFlushed = false;
  const flushed = sender.flush().then(() => {
    isFlushed = true;
  });
  await sleep(500);
  assert.equal(isFlushed, false, 'nothing is confirmed while the server is down');

  spawn(start, { stdio: 'ignore' });
  await flushed;
  commits.resolve();
  await waitUntil(() => received.size === expected.length);
  assert.deepEqual([...received.keys()].sort(), expected.sort());
  assert.ok(received.get('https://example.org/received')! > 1, 'what was not committed is received again');
  await waitUntil(async () => (await sender.countDeadLetters()) === 0);
});

/** Ends the server and waits for its end. */
async function end(start: string, signal: NodeJS.Signals): Promise<void> {
  const pid = Number(readFileSync(join(dirname(start), 'pid'), 'utf8'));
  const isRunning = () => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };
  process.kill(pid, signal);
  await waitUntil(() => !isRunning());
}

async function waitUntil(isDone: () => boolean | Promise<boolean>): Promise<void> {
  const deadlineMs = performance.now() + 60_000;
  while (!(await isDone())) {
    assert.ok(performance.now() < deadlineMs, 'waited for 60 s');
    await sleep(20);
  }
}
