import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type Log, silentLog } from '../log.ts';
import { ParserPool, type ParserPoolOptions } from './parser-pool.ts';
import type { TaskOptions, TaskOutcome } from './parser-task.ts';

/**
 * The code of a test thread. It does what the text of each task says, and returns the number of earlier tasks
 * of the thread.
 */
const THREAD = new URL(`data:text/javascript,
  import { serveTasks } from '${new URL('./parser-thread.ts', import.meta.url)}';
  let done = 0;
  await serveTasks(() => ({
    handle(act, isPlain) {
      const wait = /^wait (\\d+)/.exec(act);
      if (wait) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Number(wait[1]));
      const work = /^work (\\d+)/.exec(act);
      const cpuMs = () => { const { user, system } = process.threadCpuUsage(); return (user + system) / 1000; };
      if (work) for (const before = cpuMs(); cpuMs() - before < Number(work[1]); );
      if (act === 'loop') for (;;);
      if (act === 'exit') process.exit(7);
      if (act === 'throw') throw new Error('on purpose');
      if (act === 'later' && !isPlain) setImmediate(() => { throw new Error('later'); });
      return act + ' ' + done++;
    },
  }));`);

function poolFor(context: TestContext, options: Partial<ParserPoolOptions> = {}) {
  const pool = new ParserPool<string, string>({
    ...{ file: THREAD, data: {}, threads: 2, limitMs: 60_000, resourceLimits: {}, log: silentLog },
    ...options,
  });
  context.after(() => pool.close());
  return (act: string, over: Partial<TaskOptions> = {}) => pool.run(act, { name: act, ...over });
}

/**
 * Returns the output of a task, without the number of earlier tasks in it; or the outcome if the task was not
 * done.
 */
function said(outcome: TaskOutcome<string>): string {
  if (outcome.kind === 'done') return outcome.output.replace(/ \d+$/, '');
  return outcome.kind === 'died' ? `died: ${outcome.death}` : outcome.kind;
}

async function allOf(outcomes: readonly Promise<TaskOutcome<string>>[]): Promise<string[]> {
  return (await Promise.all(outcomes)).map(said);
}

test('a task that throws fails, one that ends its thread dies, and the other tasks of the batch are done', async (context) => {
  const run = poolFor(context, { threads: 1 });
  const acts = ['a', 'b', 'throw', 'c', 'exit', 'd'];
  assert.deepEqual(await allOf(acts.map((act) => run(act))), ['a', 'b', 'failed', 'c', 'died: ended', 'd']);
});

test('however many tasks end their threads, the pool continues', async (context) => {
  const run = poolFor(context);
  const outcomes = await allOf(Array.from({ length: 8 }, () => run('exit')));
  assert.deepEqual(new Set(outcomes), new Set(['died: ended']));
  assert.equal(said(await run('a')), 'a');
});

test('a task that is too slow for the fast lane is finished in the slow one, and its group follows it', async (context) => {
  const run = poolFor(context, { fastLimitMs: 300 });
  await allOf([run('a'), run('b')]);
  let slowed = 0;
  const onSlow = () => void slowed++;
  const group = 'host';
  const slow = ['work 1200', 'c', 'd', 'e'].map((act) => run(act, { group, onSlow }));
  assert.deepEqual(await allOf(slow), ['work 1200', 'c', 'd', 'e']);
  assert.ok(slowed >= 1 && slowed <= 4, `${slowed} were moved`);
});

test('a task that waits for the processor stays in its lane', async (context) => {
  const run = poolFor(context, { fastLimitMs: 300 });
  await allOf([run('a'), run('b')]);
  let slowed = 0;
  assert.equal(said(await run('wait 1000', { onSlow: () => void slowed++ })), 'wait 1000');
  assert.equal(slowed, 0);
});

test('fast tasks do not wait for slow ones, however many there are', async (context) => {
  const run = poolFor(context);
  await allOf([run('a'), run('b')]);
  let slowDone = 0;
  const slow = Array.from({ length: 4 }, () => run('wait 400', { lane: 'slow' }).then(() => slowDone++));
  for (let round = 0; round < 5; round++) assert.equal(said(await run('c')), 'c');
  assert.ok(slowDone < 4, 'all slow tasks were done first');
  await Promise.all(slow);
});

test('a single thread serves both lanes in turn', async (context) => {
  const run = poolFor(context, { threads: 1 });
  const order: string[] = [];
  const note = (act: string, lane: 'fast' | 'slow') => run(act, { lane }).then(() => order.push(act));
  await Promise.all([
    ...['s1', 's2'].map((act) => note(act, 'slow')),
    ...['f1', 'f2'].map((act) => note(act, 'fast')),
  ]);
  assert.deepEqual(order.toSorted(), ['f1', 'f2', 's1', 's2']);
  assert.ok(order.indexOf('f1') < order.indexOf('s2'), order.join());
});

test('a task past its deadline is reported as late, and a stuck thread is replaced', async (context) => {
  const run = poolFor(context, { threads: 1, maxBatch: 1 });
  await run('a');
  const outcomes = await Promise.all([
    run('loop', { deadlineMs: 400 }),
    run('b', { deadlineMs: 100 }),
    run('c', { deadlineMs: 60_000 }),
  ]);
  assert.deepEqual(outcomes.slice(0, 2), [
    { kind: 'late', hasBegun: true },
    { kind: 'late', hasBegun: false },
  ]);
  assert.equal(said(outcomes[2]!), 'c');
});

test('a full lane refuses tasks, and urgent tasks come first', async (context) => {
  const run = poolFor(context, { threads: 1, maxWaiting: { slow: { tasks: 2, bytes: 100 } } });
  await run('a');
  const order: string[] = [];
  const note = (act: string, over: Partial<TaskOptions>) =>
    run(act, over).then((outcome) => order.push(said(outcome)));
  const slow = ['wait 200', 'b', 'c', 'd'].map((act) => note(act, { lane: 'slow' }));
  await Promise.all([...slow, note('e', { isUrgent: true })]);
  assert.deepEqual(order, ['full', 'wait 200', 'e', 'b', 'c']);
});

test('a thread that dies without a task in work loses no result', async (context) => {
  const lines: string[] = [];
  const log: Log = { ...silentLog, warn: (event) => void lines.push(event) };
  const run = poolFor(context, { threads: 1, log });
  for (let round = 0; round < 3; round++)
    assert.deepEqual(await allOf([run('a'), run('later'), run('b')]), ['a', 'later', 'b']);
});

test('the time that the first thread takes to start does not count towards a deadline', async (context) => {
  const slow = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 600);';
  const file = new URL(String(THREAD).replace('let done = 0;', `let done = 0; ${slow}`));
  const run = poolFor(context, { file, threads: 1 });
  assert.equal(said(await run('a', { deadlineMs: 300 })), 'a');
});

test('threads that cannot start break the pool, with the reason', async (context) => {
  const file = new URL('data:text/javascript,throw new Error("no such plug-in")');
  const run = poolFor(context, { file, threads: 1 });
  await assert.rejects(run('a'), /cannot start: no such plug-in/);
  await assert.rejects(run('b'), /cannot start/);
});
