import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sleep } from './clock.ts';
import { isMemoryFull, isMemoryHigh, watchMemory } from './memory-level.ts';
import { VersionedCache } from './versioned-cache.ts';

/**
 * Sets the memory limit so that the process now uses the share `share` of it, and waits until the level is
 * known.
 */
async function useShare(share: number): Promise<void> {
  watchMemory(process.memoryUsage.rss() / share);
  await sleep(250);
}

test('memory is high from 80 % and full from 90 % of the limit, and without a limit neither', async () => {
  assert.deepEqual([isMemoryHigh(), isMemoryFull()], [false, false]);
  await useShare(0.4);
  assert.deepEqual([isMemoryHigh(), isMemoryFull()], [false, false]);
  await useShare(0.85);
  assert.equal(isMemoryHigh(), true);
  await useShare(2);
  assert.deepEqual([isMemoryHigh(), isMemoryFull()], [true, true]);
});

test('a cache is empty while memory is high, and is used again afterwards', async () => {
  const cache = new VersionedCache<string>(1000);
  await useShare(0.4);
  assert.equal(cache.find('1', 'a'), null);
  cache.keep('1', 'a', 'value', 10);
  assert.equal(cache.find('1', 'a'), 'value');
  await useShare(2);
  assert.equal(cache.find('1', 'a'), null);
  cache.keep('1', 'a', 'value', 10);
  assert.equal(cache.stats.sizeBytes, 0);
  await useShare(0.4);
  cache.keep('1', 'a', 'value', 10);
  assert.equal(cache.find('1', 'a'), 'value');
});
