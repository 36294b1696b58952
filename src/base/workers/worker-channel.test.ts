import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { UsageError } from '../errors.ts';
import type { Order } from './worker-channel.fixture.ts';
import { WorkerChannel } from './worker-channel.ts';

function channelFor(t: TestContext, onEvent = (_: string) => {}) {
  const file = new URL('./worker-channel.fixture.ts', import.meta.url);
  const channel = new WorkerChannel<Order, Uint8Array, string>(file, { onEvent });
  t.after(() => channel.close());
  return channel;
}

test('each request gets its own reply, and buffers are moved both ways', async (t) => {
  const channel = channelFor(t);
  const bytes = Uint8Array.of(1, 2, 3);
  const [first, second] = await Promise.all([
    channel.ask({ act: 'double', bytes }, [bytes.buffer]),
    channel.ask({ act: 'double', bytes: Uint8Array.of(9) }),
  ]);
  assert.deepEqual([[...first], [...second]], [[2, 4, 6], [18]]);
  assert.equal(bytes.length, 0);
});

test('an error fails its request alone, with its code and message', async (t) => {
  const channel = channelFor(t);
  await assert.rejects(channel.ask({ act: 'fail' }), { code: 'internal', message: 'failed here' });
  const refused = await channel.ask({ act: 'refuse' }).catch((error: unknown) => error);
  assert.ok(refused instanceof UsageError && refused.code === 'bad-order');
  assert.equal(refused.advice, 'send another');
  assert.equal((await channel.ask({ act: 'double' })).length, 0);
});

test('if the thread dies, open requests and later ones are rejected', async (t) => {
  const channel = channelFor(t);
  const open = channel.ask({ act: 'wait' });
  const deadly = channel.ask({ act: 'die' });
  for (const asked of [open, deadly]) await assert.rejects(asked, { code: 'thread-died' });
  await channel.ended;
  await assert.rejects(channel.ask({ act: 'double' }), /the thread has died: it ended with code 3/);
});

test('the thread can send events between replies', async (t) => {
  const events: string[] = [];
  const channel = channelFor(t, (event) => events.push(event));
  await channel.ask({ act: 'tell' });
  assert.deepEqual(events, ['told']);
});
