import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linksTo, urlsOf } from '../../crawl/mod.ts';
import { canonicalize, partitionOf } from '../../url/mod.ts';
import { deleteDeadLetters, readDeadLetters, resendDeadLetters } from './dead-letters.ts';
import { queueOfVnode } from './link-queues.ts';
import { brokerUrl, createCluster, openExchange, withChannel } from './test-broker.fixture.ts';

const VNODE = partitionOf('example.org');

test('dead letters are shown, sent again, and deleted', async (t) => {
  const cluster = createCluster(t);
  const url = canonicalize('https://example.org/found')!;
  const queue = queueOfVnode(cluster, VNODE);
  const read = () => readDeadLetters(brokerUrl, cluster, 10);
  assert.deepEqual(await read(), []);
  const sender = await openExchange(t, { cluster });
  await sender.send(linksTo([url], 1), null);
  await sender.flush();
  await withChannel(brokerUrl, async (channel) => {
    channel.sendToQueue(queue, Buffer.from('of another version'));
    await channel.waitForConfirms();
    for (let message = await channel.get(queue); message; message = await channel.get(queue))
      channel.nack(message, false, false);
  });
  // RabbitMQ moves rejected messages after its reply.
  while ((await sender.countDeadLetters()) < 2);
  const letters = (await read()).sort((a, b) => a.urlCount - b.urlCount);
  assert.deepEqual(
    letters.map(({ reason, urls, queue: from }) => ({ reason, urls, from })),
    [
      { reason: 'rejected', urls: [], from: queue },
      { reason: 'rejected', urls: [url], from: queue },
    ],
  );
  assert.match(letters[0]!.problem!, /message/);
  assert.equal(letters[1]!.problem, null);

  // RabbitMQ puts the messages that were shown back into their queue after its reply.
  while ((await sender.countDeadLetters()) < 2);
  assert.equal(await resendDeadLetters(brokerUrl, cluster), 2);
  const received: string[] = [];
  const owner = await openExchange(t, { cluster });
  owner.onReceived(async ({ urls }) => void received.push(...urlsOf(urls)));
  await owner.setOwned([VNODE]);
  while ((await sender.countDeadLetters()) < 1 || received.length === 0);
  assert.deepEqual(received, [url], 'a message that is readable now is stored');
  assert.equal((await read()).length, 1, 'the other one is a dead letter again');
  assert.equal(await deleteDeadLetters(brokerUrl, cluster), 1);
  assert.deepEqual(await read(), []);
});
