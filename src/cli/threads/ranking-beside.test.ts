import assert from 'node:assert/strict';
import { test } from 'node:test';
import { silentLog } from '../../base/mod.ts';
import { RankingBeside } from './ranking-beside.ts';

/** Returns fake rankings. Each ends when the test ends it. */
function rankingAt(clock: { now: number }) {
  const begun: PromiseWithResolvers<void>[] = [];
  const errors: string[] = [];
  const rank = () => {
    begun.push(Promise.withResolvers<void>());
    return begun.at(-1)!.promise;
  };
  const log = { ...silentLog, error: (event: string) => void errors.push(event) };
  return { ranking: new RankingBeside(rank, log, () => clock.now), begun, errors };
}

test('a ranking begins when the index has grown by a fifth or has not changed for a while', async () => {
  const clock = { now: 0 };
  const { ranking, begun } = rankingAt(clock);
  const offer = async (now: number, docs: number, changes: number, changedAt: number) => {
    clock.now = now;
    ranking.offer({ docs, changes, changedAt });
    begun.at(-1)?.resolve();
    await ranking.end();
    ranking.takeFinished();
    return begun.length;
  };
  assert.equal(await offer(0, 0, 0, 0), 0, 'an empty index');
  assert.equal(await offer(0, 100, 1, 0), 1);
  assert.equal(await offer(9_000, 100, 1, 0), 1, 'no change');
  assert.equal(await offer(9_000, 110, 2, 9_000), 1, 'a small change just now');
  assert.equal(await offer(9_000, 121, 3, 9_000), 2);
  assert.equal(await offer(11_001, 122, 4, 9_000), 3);
});

test('pages can be indexed during a ranking, which covers only those before it', async () => {
  const { ranking, begun } = rankingAt({ now: 0 });
  ranking.offer({ docs: 100, changes: 1, changedAt: 0 });
  ranking.offer({ docs: 1000, changes: 2, changedAt: 0 });
  assert.equal(begun.length, 1, 'one ranking at a time');
  assert.equal(ranking.covers(1), false);
  assert.equal(ranking.takeFinished(), false);
  begun[0]!.resolve();
  await ranking.end();
  assert.equal(ranking.covers(1), false, 'not applied yet');
  assert.equal(ranking.takeFinished(), true);
  assert.equal(ranking.takeFinished(), false);
  assert.deepEqual([ranking.covers(1), ranking.covers(2)], [true, false]);
  ranking.offer({ docs: 1000, changes: 2, changedAt: 0 });
  assert.equal(begun.length, 2);
});

test('a ranking that fails is reported, is not applied, and is tried again after the next change', async () => {
  const { ranking, begun, errors } = rankingAt({ now: 0 });
  ranking.offer({ docs: 100, changes: 1, changedAt: 0 });
  begun[0]!.reject(new Error('journal file missing'));
  await ranking.end();
  assert.deepEqual(errors, ['ranking failed']);
  assert.equal(ranking.takeFinished(), false);
  assert.equal(ranking.covers(1), true);
  ranking.offer({ docs: 100, changes: 1, changedAt: 0 });
  assert.equal(begun.length, 1);
  ranking.offer({ docs: 200, changes: 2, changedAt: 0 });
  assert.equal(begun.length, 2);
});
