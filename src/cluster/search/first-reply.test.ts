import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { mock, type TestContext, test } from 'node:test';
import { firstReply, ReplyTimes } from './first-reply.ts';

const REPLICAS = ['a', 'b', 'c'];
const FAILS = new Error('fails');

/** Replicas whose replies the test controls. */
function controlled() {
  const asked: string[] = [];
  const calls = new Map<string, PromiseWithResolvers<string>>();
  const ask = (replica: string) => {
    asked.push(replica);
    const call = Promise.withResolvers<string>();
    calls.set(replica, call);
    return call.promise;
  };
  return { asked, calls, ask };
}

function withTimers(t: TestContext): void {
  mock.timers.enable({ apis: ['setTimeout'] });
  t.after(() => mock.timers.reset());
}

test('a fast replica is the only one that is asked', async (t) => {
  withTimers(t);
  const { asked, calls, ask } = controlled();
  const reply = firstReply(REPLICAS, ask, new ReplyTimes(), () => true);
  mock.timers.tick(99);
  calls.get('a')!.resolve('reply');
  assert.equal(await reply, 'reply');
  mock.timers.tick(1000);
  assert.deepEqual(asked, ['a']);
});

test('a slow replica is overtaken by the next one', async (t) => {
  withTimers(t);
  const { asked, calls, ask } = controlled();
  const reply = firstReply(REPLICAS, ask, new ReplyTimes(), () => true);
  mock.timers.tick(100);
  assert.deepEqual(asked, ['a', 'b']);
  calls.get('b')!.resolve('from b');
  assert.equal(await reply, 'from b');
  calls.get('a')!.reject(FAILS);
  await turn();
  assert.deepEqual(asked, ['a', 'b'], 'a late failure asks no further replica');
});

test('a request waits as long as 95 of 100 recent replies took', () => {
  const times = new ReplyTimes();
  assert.equal(times.hedgeMs(), 100, 'before there are enough replies');
  for (let ms = 1; ms <= 100; ms++) times.add(ms);
  assert.equal(times.hedgeMs(), 96);
  for (let n = 0; n < 128; n++) times.add(1);
  assert.equal(times.hedgeMs(), 5, 'never sooner than 5 ms');
});

test('at most a tenth of the requests are hedged', () => {
  const times = new ReplyTimes();
  let hedged = 0;
  for (let n = 0; n < 1000; n++) {
    times.hedgeMs();
    if (times.takeHedge()) hedged++;
  }
  assert.ok(hedged >= 100 && hedged <= 111, `${hedged}`);
});

test('a replica that fails is replaced at once, and the last failure ends the request', async (t) => {
  withTimers(t);
  const { asked, calls, ask } = controlled();
  const reply = firstReply(REPLICAS, ask, new ReplyTimes(), () => true);
  const failed = assert.rejects(reply, { message: 'a' });
  for (const replica of REPLICAS) {
    calls.get(replica)!.reject(new Error(replica));
    await turn();
  }
  await failed;
  assert.deepEqual(asked, REPLICAS);
});

test('an error that every replica would report asks no other replica', async (t) => {
  withTimers(t);
  const { asked, calls, ask } = controlled();
  const reply = firstReply(REPLICAS, ask, new ReplyTimes(), () => false);
  calls.get('a')!.reject(FAILS);
  await assert.rejects(reply, FAILS);
  assert.deepEqual(asked, ['a']);
});

test('a replica of a silent node is overtaken although all hedges are used up', async (t) => {
  withTimers(t);
  const { asked, calls, ask } = controlled();
  const times = new ReplyTimes();
  while (times.takeHedge());
  const silent = new Set<string>();
  const reply = firstReply(
    REPLICAS,
    ask,
    times,
    () => true,
    (replica) => silent.has(replica),
  );
  mock.timers.tick(200);
  assert.deepEqual(asked, ['a'], 'no hedge is left');
  silent.add('a');
  mock.timers.tick(100);
  assert.deepEqual(asked, ['a', 'b']);
  calls.get('b')!.resolve('from b');
  assert.equal(await reply, 'from b');
  mock.timers.tick(1000);
  assert.deepEqual(asked, ['a', 'b']);
});
