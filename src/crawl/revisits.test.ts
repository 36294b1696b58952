import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LastCapture } from './crawl-state.ts';
import { captureOfImport, conditionsOf, nextIntervalMs, settleFailure } from './revisits.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const OPTIONS = { firstMs: DAY, minMs: HOUR, maxMs: 60 * DAY };

const LAST: LastCapture = {
  said: 'page 1',
  etag: 'W/"1"',
  lastModified: 'Sun, 06 Nov 1994 08:49:37 GMT',
  robotsTag: '',
  digest: 'D',
  payloadDigest: 'P',
  archivedAt: 5,
  isDocument: true,
  sketch: null,
  goneCount: 0,
  intervalMs: DAY,
  dueAt: 0,
};

test('a page that never changes is asked ever less often, one that always does ever more often', () => {
  let [calm, lively] = [DAY, DAY];
  for (let visit = 0; visit < 40; visit++) {
    const [nextCalm, nextLively] = [
      nextIntervalMs(calm, false, OPTIONS),
      nextIntervalMs(lively, true, OPTIONS),
    ];
    assert.ok(nextCalm > calm || calm === OPTIONS.maxMs);
    assert.ok(nextLively < lively || lively === OPTIONS.minMs);
    [calm, lively] = [nextCalm, nextLively];
  }
  assert.deepEqual([calm, lively], [OPTIONS.maxMs, OPTIONS.minMs]);
});

test('a page that changes every so often is soon asked about as often', () => {
  for (const periodMs of [6 * HOUR, DAY, 7 * DAY]) {
    let [now, seen, interval, visits, missed] = [0, 0, OPTIONS.firstMs, 0, 0];
    while (now < 400 * periodMs) {
      now += interval;
      const version = Math.floor(now / periodMs);
      if (now > 100 * periodMs) {
        visits++;
        missed += Math.max(0, version - seen - 1);
      }
      interval = nextIntervalMs(interval, version !== seen, OPTIONS);
      seen = version;
    }
    assert.ok(visits < 6 * 300, `${visits} visits for 300 changes`);
    assert.ok(missed < 0.25 * 300, `${missed} of 300 changes never seen`);
  }
});

test('what was seen before is asked for conditionally, by all the validators that it has', () => {
  assert.deepEqual(conditionsOf(LAST), {
    'if-none-match': 'W/"1"',
    'if-modified-since': 'Sun, 06 Nov 1994 08:49:37 GMT',
  });
  assert.deepEqual(conditionsOf({ ...LAST, lastModified: '' }), { 'if-none-match': 'W/"1"' });
  assert.deepEqual(conditionsOf({ ...LAST, lastModified: '', etag: '' }), {});
  assert.deepEqual(conditionsOf(null), {});
});

test('an import is remembered without making anything due, and changes nothing about when a page is', () => {
  const document = { digest: 'E', payloadDigest: 'Q', archivedAt: 9, sketch: 3 };
  const first = captureOfImport({ previous: null, document, isDoubtful: false }, OPTIONS)!;
  assert.deepEqual([first.isDocument, first.dueAt, first.intervalMs], [true, 0, DAY]);
  assert.deepEqual(conditionsOf(first), {}, 'the first visit is to the whole page');
  const previous = { ...LAST, dueAt: 77, intervalMs: HOUR };
  const second = captureOfImport({ previous, document, isDoubtful: false }, OPTIONS)!;
  assert.deepEqual([second.digest, second.dueAt, second.intervalMs], ['E', 77, HOUR]);
  assert.equal(captureOfImport({ previous: null, document: null, isDoubtful: true }, OPTIONS), null);
});

test('a failure leaves what is known, and the URL due again', () => {
  const failed = {
    fingerprint: 1n,
    state: 'failed',
    attempts: 4,
    status: 500,
    reason: '',
    fetchedAt: 7,
  } as const;
  assert.deepEqual(settleFailure(failed, LAST).last, { ...LAST, dueAt: 7 + DAY });
  assert.equal(settleFailure(failed, null).last, undefined);
  assert.equal(
    settleFailure({ ...failed, state: 'ready' }, LAST).last,
    undefined,
    'it is tried again at once',
  );
});
