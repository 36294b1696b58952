import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Signal } from './signal.ts';

const LONG_MS = 3_600_000;

test('a notification ends the wait', async () => {
  const signal = new Signal();
  const waiting = signal.wait(LONG_MS);
  signal.notify();
  await waiting;
});

test('a notification before the wait is not lost, and ends only one wait', async () => {
  const signal = new Signal();
  signal.notify();
  signal.notify();
  await signal.wait(LONG_MS);
  let isOver = false;
  const second = signal.wait(LONG_MS).then(() => {
    isOver = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(isOver, false);
  signal.notify();
  await second;
});

test('without a notification the wait ends at its time', async () => {
  await new Signal().wait(0);
});
