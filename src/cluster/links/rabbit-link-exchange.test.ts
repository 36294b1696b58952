import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { sleep } from '../../base/mod.ts';
import { type LinkExchange, linksTo, urlsOf } from '../../crawl/mod.ts';
import { linkExchangeConformance } from '../../crawl/link-exchange-conformance.fixture.ts';
import { type CanonicalUrl, canonicalize, hostOf, partitionOf } from '../../url/mod.ts';
import { ServiceError } from '../service-error.ts';
import { deadLetterQueue, queueOfVnode } from './link-queues.ts';
import { readQueueDepths } from './queue-depths.ts';
import { brokerUrl, createCluster, openExchange, withChannel } from './test-broker.fixture.ts';

const URL_OF_HOST = canonicalize('https://example.org/')!;
const VNODE = partitionOf('example.org');
const NODES = 3;

linkExchangeConformance('an exchange through RabbitMQ', async (t) => {
  const cluster = createCluster(t);
  const hosts = Array.from({ length: 7 }, (_, number) => partitionOf(`host-${number}.test`));
  const nodes: LinkExchange[] = [];
  for (let node = 0; node < NODES; node++) {
    const exchange = await openExchange(t, { cluster });
    await exchange.setOwned(hosts.filter((vnode) => vnode % NODES === node));
    nodes.push(exchange);
  }
  return { nodes, ownerOf: (url) => partitionOf(hostOf(url)) % NODES };
});

/** Collects the received URLs. */
function collect(exchange: LinkExchange): string[] {
  const received: string[] = [];
  exchange.onReceived(async ({ urls }) => void received.push(...urlsOf(urls)));
  return received;
}

async function waitUntil(isDone: () => boolean | Promise<boolean>): Promise<void> {
  const deadlineMs = performance.now() + 20_000;
  while (!(await isDone())) {
    assert.ok(performance.now() < deadlineMs, 'waited for 20 s');
    await sleep(20);
  }
}

const pageOf = (path: number): CanonicalUrl => canonicalize(`https://example.org/${path}`)!;

test('links to own vnodes are received without a queue, and the attributes of links survive', async (t) => {
  const cluster = createCluster(t);
  const node = await openExchange(t, { cluster });
  const received: unknown[] = [];
  node.onReceived(async ({ urls, followOnly, depth }, source) => {
    received.push({ urls, followOnly, depth, source });
  });
  await node.setOwned([VNODE]);
  const links = { ...linksTo([pageOf(1), pageOf(2)], 4), followOnly: [1] };
  await node.send(links, URL_OF_HOST);
  const expected = { urls: links.urls, followOnly: [1], depth: 4, source: URL_OF_HOST };
  assert.deepEqual(received, [expected]);
  const other = await openExchange(t, { cluster });
  await other.send(links, URL_OF_HOST);
  await other.flush();
  await waitUntil(() => received.length === 2);
  assert.deepEqual(received[1], expected);
});

test('many links of one vnode are sent in several messages', async (t) => {
  const cluster = createCluster(t);
  const sender = await openExchange(t, { cluster });
  const urls = Array.from(
    { length: 20_000 },
    (_, number) => canonicalize(`https://example.org/${number}/${'x'.repeat(20 + (number % 50))}`)!,
  );
  for (let from = 0; from < urls.length; from += 100)
    await sender.send(linksTo(urls.slice(from, from + 100), 1), null);
  await sender.flush();
  const { messageCount } = await withChannel(brokerUrl, (channel) =>
    channel.checkQueue(queueOfVnode(cluster, VNODE)),
  );
  assert.ok(messageCount > 5 && messageCount < 100, `${messageCount} messages`);
  const owner = await openExchange(t, { cluster });
  const received = collect(owner);
  await owner.setOwned([VNODE]);
  await waitUntil(() => received.length >= urls.length);
  assert.deepEqual(new Set(received), new Set(urls));
});

test('links that were not committed are received again, by the next owner', async (t) => {
  const cluster = createCluster(t);
  const sender = await openExchange(t, { cluster });
  await sender.send(linksTo([pageOf(1)], 1), null);
  await sender.flush();
  const first = await openExchange(t, { cluster, untilCommitted: () => new Promise(() => {}) });
  const early = collect(first);
  await first.setOwned([VNODE]);
  await waitUntil(() => early.length === 1);
  await first.close();
  const second = await openExchange(t, { cluster });
  const late = collect(second);
  await second.setOwned([VNODE]);
  await waitUntil(() => late.length === 1);
  assert.deepEqual(late, early);
});

test('a node that gives up a vnode first commits what it received', async (t) => {
  const cluster = createCluster(t);
  const sender = await openExchange(t, { cluster });
  await sender.send(linksTo([pageOf(1)], 1), null);
  await sender.flush();
  const commit = Promise.withResolvers<void>();
  const owner = await openExchange(t, { cluster, untilCommitted: () => commit.promise });
  const received = collect(owner);
  await owner.setOwned([VNODE]);
  await waitUntil(() => received.length === 1);
  let isReleased = false;
  const released = owner.setOwned([]).then(() => {
    isReleased = true;
  });
  await sender.send(linksTo([pageOf(2)], 1), null);
  await sender.flush();
  await sleep(100);
  assert.equal(isReleased, false);
  commit.resolve();
  await released;
  const next = await openExchange(t, { cluster });
  const rest = collect(next);
  await next.setOwned([VNODE]);
  await waitUntil(() => rest.length > 0);
  assert.deepEqual(
    [received, rest],
    [[pageOf(1)], [pageOf(2)]].map((urls) => urls.map(String)),
  );
});

test('a receiver that fails gets the links again', async (t) => {
  const failures = [
    new ServiceError('service-unreachable', 'postgresql', true, 'PostgreSQL is down'),
    new Error('fenced'),
  ];
  for (const failure of failures) {
    const cluster = createCluster(t);
    const sender = await openExchange(t, { cluster });
    await sender.send(linksTo([pageOf(1)], 1), null);
    await sender.flush();
    const owner = await openExchange(t, { cluster });
    let calls = 0;
    owner.onReceived(async () => {
      if (++calls === 1) throw failure;
    });
    await owner.setOwned([VNODE]);
    await waitUntil(() => calls === 2);
    await owner.setOwned([]);
    assert.equal(await sender.countDeadLetters(), 0);
  }
});

test('messages of another version and malformed messages become dead letters', async (t) => {
  const cluster = createCluster(t);
  const owner = await openExchange(t, { cluster });
  const received = collect(owner);
  await owner.setOwned([VNODE]);
  const poison = [Buffer.of(2, 0, 0, 0), Buffer.of(1, 200), Buffer.alloc(0)];
  await withChannel(brokerUrl, async (channel) => {
    for (const bytes of poison) channel.sendToQueue(queueOfVnode(cluster, VNODE), bytes);
    await channel.waitForConfirms();
  });
  const sender = await openExchange(t, { cluster });
  await sender.send(linksTo([pageOf(1)], 1), null);
  await sender.flush();
  await waitUntil(async () => (await sender.countDeadLetters()) === 3);
  await waitUntil(() => received.length === 1);
  const letter = await withChannel(brokerUrl, (channel) => channel.get(deadLetterQueue(cluster)));
  assert.ok(letter);
  assert.deepEqual(letter.content, poison[0]);
});

test('waiting messages and dead letters are counted, and missing queues are not declared', async (t) => {
  const cluster = createCluster(t);
  const missing = { waiting: 0, queues: 0, deadLetters: 0, deadLetterQueue: deadLetterQueue(cluster) };
  assert.deepEqual(await readQueueDepths(brokerUrl, cluster), missing);
  const sender = await openExchange(t, { cluster });
  await sender.send(linksTo([pageOf(1)], 1), null);
  await sender.flush();
  await withChannel(brokerUrl, async (channel) => {
    channel.sendToQueue(deadLetterQueue(cluster), Buffer.of(1));
    await channel.waitForConfirms();
  });
  assert.deepEqual(await readQueueDepths(brokerUrl, cluster), {
    ...missing,
    waiting: 1,
    queues: 1,
    deadLetters: 1,
  });
});

test('a queue that was deleted is declared again, and no link is lost', async (t) => {
  const cluster = createCluster(t);
  const sender = await openExchange(t, { cluster });
  const owner = await openExchange(t, { cluster });
  const received = collect(owner);
  await owner.setOwned([VNODE]);
  await sender.send(linksTo([pageOf(1)], 1), null);
  await sender.flush();
  await waitUntil(() => received.length === 1);
  await withChannel(brokerUrl, (channel) => channel.deleteQueue(queueOfVnode(cluster, VNODE)));
  await sender.send(linksTo([pageOf(2)], 1), null);
  await sender.flush();
  await waitUntil(() => received.length === 2);
});

async function refusalOf(t: TestContext, change: (url: URL) => void): Promise<ServiceError> {
  const url = new URL(brokerUrl);
  change(url);
  const error = await openExchange(t, { cluster: 'refused', url: url.href }).catch((reason) => reason);
  assert.ok(error instanceof ServiceError, String(error));
  assert.equal(error.service, 'rabbitmq');
  return error;
}

test('an unreachable server is named with what to check, and may heal', async (t) => {
  const { code, canHeal, message } = await refusalOf(t, (url) => {
    url.port = '1';
    url.password = 'secret';
  });
  assert.deepEqual([code, canHeal], ['service-unreachable', true]);
  assert.match(message, /^RabbitMQ at 127\.0\.0\.1:1 is unreachable \(ECONNREFUSED\): check that/);
  assert.doesNotMatch(message, /secret/);
});

test('a refused password is reported without the password', async (t) => {
  const { code, canHeal, message } = await refusalOf(t, (url) => {
    url.password = 'wrong-secret';
  });
  assert.deepEqual([code, canHeal], ['service-refused', false]);
  assert.match(
    message,
    /refuses the user "\w+": expected a valid user name and password in the amqp:\/\/ URL/,
  );
  assert.doesNotMatch(message, /wrong-secret/);
});

test('an unknown virtual host is named', async (t) => {
  const { code, canHeal, message } = await refusalOf(t, (url) => {
    url.pathname = '/absent';
  });
  assert.deepEqual([code, canHeal], ['no-virtual-host', false]);
  assert.match(message, /has no virtual host "absent", or the user "\w+" has no permissions on it/);
});

test('a queue with other properties is named', async (t) => {
  const cluster = createCluster(t);
  await withChannel(brokerUrl, (channel) => channel.assertQueue(deadLetterQueue(cluster)));
  await assert.rejects(openExchange(t, { cluster }), {
    code: 'queue-differs',
    canHeal: false,
    message: /has a queue with other properties .*links\.dead/,
  });
});

test('flush fails with the reason if a queue of a vnode cannot be used', async (t) => {
  const cluster = createCluster(t);
  await withChannel(brokerUrl, (channel) => channel.assertQueue(queueOfVnode(cluster, VNODE)));
  const sender = await openExchange(t, { cluster });
  await sender.send(linksTo([pageOf(1)], 1), null);
  await assert.rejects(sender.flush(), { code: 'queue-differs' });
  await assert.rejects(sender.flush(), { code: 'queue-differs' });
});
