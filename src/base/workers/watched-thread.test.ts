import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { sleep } from '../clock.ts';
import { type ThreadDeath, WatchedThread } from './watched-thread.ts';

/** The code of a test thread that follows orders. Each order is a numbered piece of work. */
const THREAD = new URL(`data:text/javascript,
  import { parentPort, workerData } from 'node:worker_threads';
  import { BusyCell } from '${new URL('./watched-thread.ts', import.meta.url)}';
  const busy = new BusyCell(workerData);
  parentPort.on('message', ({ piece, act }) => {
    busy.during(piece, () => {
      if (act === 'loop') for (;;);
      if (act === 'wait') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
      if (act === 'exit') process.exit(7);
    });
    if (act === 'throw') throw new Error('on purpose');
    parentPort.postMessage(piece);
  });`);

interface Order {
  piece: number;
  act: 'answer' | 'loop' | 'wait' | 'exit' | 'throw';
}

function watched(context: TestContext, limitMs: number) {
  let awaited = 0;
  let heard: (event: number | ThreadDeath) => void = () => {};
  const thread = new WatchedThread<Order, number>({
    file: THREAD,
    data: {},
    resourceLimits: {},
    limitMs: () => (awaited > 0 ? limitMs : null),
    onReply: (piece) => {
      awaited--;
      heard(piece);
    },
    onDeath: (death) => heard(death),
  });
  context.after(() => thread.close());
  /** Sends an order. Resolves with the reply, or with the death of the thread. */
  const ask = (order: Order): Promise<number | ThreadDeath> => {
    const next = new Promise<number | ThreadDeath>((resolve) => (heard = resolve));
    awaited++;
    thread.post(order);
    return next;
  };
  return ask;
}

test('an idle thread is not ended by the time limit', async (context) => {
  const ask = watched(context, 2000);
  assert.equal(await ask({ piece: 1, act: 'answer' }), 1);
  await sleep(2600);
  assert.equal(await ask({ piece: 2, act: 'answer' }), 2);
});

test('a stuck thread is ended after its limit of processor time, and its current piece is reported', async (context) => {
  const ask = watched(context, 400);
  assert.deepEqual(await ask({ piece: 5, act: 'loop' }), {
    kind: 'stuck',
    message: 'no step in 0.4 s of processor time',
    piece: 5,
    hasBegun: true,
  });
});

test('a thread that waits without using the processor is ended after ten times its limit', async (context) => {
  const startedAt = performance.now();
  const death = await watched(context, 200)({ piece: 8, act: 'wait' });
  assert.deepEqual(death, { kind: 'stuck', message: 'no step for 2 s', piece: 8, hasBegun: true });
  assert.ok(performance.now() - startedAt >= 1900);
});

test('a thread that exits in a piece reports it; one that throws after it reports none', async (context) => {
  const ended = { kind: 'ended', message: 'it ended with code 7', piece: 6, hasBegun: true };
  assert.deepEqual(await watched(context, 60_000)({ piece: 6, act: 'exit' }), ended);
  const thrown = { kind: 'ended', message: 'on purpose', piece: null, hasBegun: true };
  assert.deepEqual(await watched(context, 60_000)({ piece: 7, act: 'throw' }), thrown);
});
