import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WordsGathering } from './words-gathering.ts';

/** Each run takes 1,000 ms of the test's clock. */
function gatheringAt(clock: { now: number }) {
  const begun: number[] = [];
  const gathering = new WordsGathering(
    async () => {
      begun.push(clock.now);
      clock.now += 1000;
    },
    () => clock.now,
  );
  return { gathering, begun };
}

test('the lexicon is built when the index has grown by a fifth or the last build is long ago', async () => {
  const clock = { now: 0 };
  const { gathering, begun } = gatheringAt(clock);
  const offer = async (now: number, docs: number) => {
    clock.now = now;
    gathering.offer(docs);
    await gathering.end();
  };
  await offer(0, 100);
  await offer(2_000, 110);
  await offer(3_000, 121);
  await offer(23_999, 121);
  await offer(24_000, 121);
  assert.deepEqual(begun, [0, 3_000, 24_000]);
});

test('only one lexicon build runs at a time', async () => {
  const { gathering, begun } = gatheringAt({ now: 0 });
  gathering.offer(100);
  gathering.offer(1000);
  await gathering.end();
  assert.equal(begun.length, 1);
  gathering.offer(1000);
  await gathering.end();
  assert.equal(begun.length, 2);
});
