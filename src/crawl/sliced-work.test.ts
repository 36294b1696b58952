import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { SlicedWork } from './sliced-work.ts';

function* work(log: string[], name: string, steps: number, stepMs: number): Generator<void, string> {
  for (let step = 0; step < steps; step++) {
    const until = performance.now() + stepMs;
    while (performance.now() < until);
    log.push(name);
    yield;
  }
  return name;
}

test('short work is done at once', async () => {
  const log: string[] = [];
  const result = new SlicedWork().run(work(log, 'a', 10, 0));
  assert.equal(log.length, 10);
  assert.equal(await result, 'a');
});

test('long work runs in slices, one work at a time', async () => {
  const log: string[] = [];
  const slices = new SlicedWork();
  let isDone = false;
  const all = Promise.all(['a', 'b', 'c'].map((name) => slices.run(work(log, name, 20, 1))));
  void all.then(() => (isDone = true));
  let turns = 0;
  let most = 0;
  for (let before = log.length; !isDone; before = log.length) {
    await setImmediate();
    turns++;
    most = Math.max(most, log.length - before);
  }
  assert.deepEqual(await all, ['a', 'b', 'c']);
  assert.ok(turns > 60, `${turns} turns of the event loop beside it`);
  assert.ok(most <= 10, `${most} steps in one turn`);
});
