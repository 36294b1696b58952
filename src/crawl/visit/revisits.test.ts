import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS } from '../../base/mod.ts';
import { HOUR_MS } from '../../base/units.ts';
import { canonicalize } from '../../url/mod.ts';
import type { Response } from '../fetch/exchange.ts';
import type { Visited } from '../recorder.ts';
import { RevisitSchedule } from '../schedule/mod.ts';
import type { LastCapture, UrlResult } from '../state/crawl-state.ts';
import {
  captureOfImport,
  revisitConditionsOf,
  scheduleVisit,
  settleFailure,
  settleVisit,
} from './revisits.ts';

const OPTIONS = { firstMs: DAY_MS, minMs: HOUR_MS, maxMs: 60 * DAY_MS };

const LAST: LastCapture = {
  summary: { code: 'page', changeKey: 1 },
  etag: 'W/"1"',
  lastModified: 'Sun, 06 Nov 1994 08:49:37 GMT',
  robotsTag: '',
  digest: 'D',
  payloadDigest: 'P',
  archivedAt: 5,
  isDocument: true,
  sketch: null,
  goneCount: 0,
  history: null,
  hintedAt: 0,
  intervalMs: DAY_MS,
  dueAt: 0,
};

test('a known page is requested conditionally with all its validators', () => {
  assert.deepEqual(revisitConditionsOf(LAST), {
    'if-none-match': 'W/"1"',
    'if-modified-since': 'Sun, 06 Nov 1994 08:49:37 GMT',
  });
  assert.deepEqual(revisitConditionsOf({ ...LAST, lastModified: '' }), { 'if-none-match': 'W/"1"' });
  assert.deepEqual(revisitConditionsOf({ ...LAST, lastModified: '', etag: '' }), {});
  assert.deepEqual(revisitConditionsOf(null), {});
});

test('an imported capture changes no revisit time', () => {
  const document = { digest: 'E', payloadDigest: 'Q', archivedAt: 9, sketch: 3 };
  const first = captureOfImport({ previous: null, document, isDoubtful: false }, OPTIONS)!;
  assert.deepEqual([first.isDocument, first.dueAt, first.intervalMs], [true, 0, DAY_MS]);
  assert.deepEqual(revisitConditionsOf(first), {}, 'the first visit is to the whole page');
  const previous = { ...LAST, dueAt: 77, intervalMs: HOUR_MS };
  const second = captureOfImport({ previous, document, isDoubtful: false }, OPTIONS)!;
  assert.deepEqual([second.digest, second.dueAt, second.intervalMs], ['E', 77, HOUR_MS]);
  assert.equal(captureOfImport({ previous: null, document: null, isDoubtful: true }, OPTIONS), null);
});

test('a failure keeps the document and schedules another visit', () => {
  const failed = {
    fingerprint: 1n,
    state: 'failed',
    attempts: 4,
    status: 500,
    reason: { code: 'http-status', status: 500 },
    fetchedAt: 7,
  } as const;
  assert.deepEqual(settleFailure(failed, LAST).last, { ...LAST, dueAt: 7 + DAY_MS });
  assert.equal(settleFailure(failed, null).last, undefined);
  assert.equal(
    settleFailure({ ...failed, state: 'ready' }, LAST).last,
    undefined,
    'it is tried again at once',
  );
});

test('a page that seems to be gone is visited again after its own interval, and after half a day at most', () => {
  const policies = ['pages of jobs.test between 30m and 1h', 'pages of slow.test between 2d and 9d'];
  const revisits = { ...OPTIONS, visitsPerDay: 1, policies };
  const notes = { notesOf: async () => [], keepNote: () => {} };
  const schedule = new RevisitSchedule({ ...revisits, notes, clock: { now: () => 0 } });
  const confirmAfterMs = (host: string, intervalMs: number) => {
    const previous = { ...LAST, intervalMs };
    const url = canonicalize(`http://${host}/1`)!;
    const result = { reason: { code: 'gone' }, fetchedAt: 1000 } as UrlResult;
    const reading = { kind: 'gone' } as Parameters<typeof settleVisit>[1]['reading'];
    const response = { headers: new Map() } as Response;
    const settled = settleVisit({ result } as Visited, { url, previous, response, reading });
    assert.equal(settled.disposition?.record, null, 'the page is not removed yet');
    const options = { schedule, revisits, newLinks: 0, importance: 1, previous };
    const { dueAt, intervalMs: waitedMs } = scheduleVisit(settled, options).result.last!;
    assert.equal(dueAt, 1000 + waitedMs);
    return waitedMs;
  };
  assert.equal(confirmAfterMs('jobs.test', HOUR_MS), HOUR_MS);
  assert.equal(confirmAfterMs('jobs.test', 9 * DAY_MS), HOUR_MS, 'the policy is newer than the interval');
  assert.equal(confirmAfterMs('other.test', 3 * HOUR_MS), 3 * HOUR_MS);
  assert.equal(confirmAfterMs('other.test', 30 * DAY_MS), 12 * HOUR_MS);
  assert.equal(confirmAfterMs('slow.test', 4 * DAY_MS), 2 * DAY_MS);
});
