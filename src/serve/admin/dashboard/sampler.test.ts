import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RequestMetrics } from '../../http/mod.ts';
import { testSite } from '../../server-context.fixture.ts';
import type { ServeStatus } from '../../server-context.ts';
import { testDashboard } from './dashboard.fixture.ts';
import { viewOfSnapshot } from './panels.ts';
import { quantileMs } from './quantile.ts';
import { Sampler } from './sampler.ts';

function samplerOf(status: ServeStatus | null) {
  const time = { now: 1_000_000 };
  const clock = { now: () => time.now };
  const requests = new RequestMetrics();
  const site = testSite({ status: () => status, clock });
  return { sampler: new Sampler({ site, dashboard: testDashboard(), requests, clock }), requests, time };
}

const STATUS: ServeStatus = {
  ...{ state: 'crawling', pages: 12345, queued: 7, errors: 15 },
  crawl: {
    ...{ isStopped: false, fetched: 12360, bytes: 2048, activeHosts: 3, underWay: 2 },
    statuses: { 200: 12345, 404: 9 },
    failures: Object.fromEntries(Array.from({ length: 15 }, (_, at) => [`failure ${at}`, 15 - at])),
  },
};

test('a sample has the counters of the crawl and of searches', () => {
  const { sampler, requests } = samplerOf(STATUS);
  requests.observe('/search', 200, 0.02);
  requests.observe('/api/v1/search', 200, 0.02);
  requests.observe('/healthz', 200, 0.02);
  const { pages, bytes, errors, queued, searches, docs } = sampler.sample();
  assert.deepEqual([pages, bytes, errors, queued, searches, docs], [12345, 2048, 15, 7, 2, 0]);
  assert.equal(sampler.history.length, 1);
});

test('rate and times of searches are those of the last minute', () => {
  const { sampler, requests, time } = samplerOf(null);
  sampler.sample();
  for (let at = 0; at < 30; at++) requests.observe('/search', 200, 0.04);
  time.now += 30_000;
  sampler.sample();
  assert.equal(sampler.snapshot().searches.perMinute, 30);
  const { medianMs } = sampler.snapshot().searches;
  assert.ok(medianMs !== null && medianMs > 25 && medianMs <= 50, String(medianMs));
  time.now += 70_000;
  sampler.sample();
  assert.deepEqual(sampler.snapshot().searches, { total: 30, perMinute: 0, medianMs: null, p95Ms: null });
});

test('a quantile is interpolated within its bucket', () => {
  const bounds = [0.25, 0.5, 1];
  assert.equal(quantileMs([0, 0, 0, 0], bounds, 0.5), null);
  assert.equal(quantileMs([0, 10, 0, 0], bounds, 0.5), 375);
  assert.equal(quantileMs([5, 5, 0, 0], bounds, 0.5), 250);
  assert.equal(quantileMs([0, 0, 0, 3], bounds, 0.5), 1000, 'slower than all bounds');
});

test('a view has the figures as text, the most frequent failures, and the possible commands', () => {
  const view = viewOfSnapshot(samplerOf(STATUS).sampler.snapshot());
  assert.deepEqual(view.actions, ['pause', 'stop']);
  const [crawl, responses] = view.panels;
  assert.equal(crawl!.figures[0]!.value, '12,345');
  assert.equal(crawl!.figures[3]!.value, '2.0 KiB');
  const [statuses, failures] = responses!.tables;
  assert.deepEqual(
    statuses!.rows.map(({ cells }) => cells),
    [
      ['200', '12,345'],
      ['404', '9'],
    ],
  );
  assert.equal(failures!.rows.length, 13);
  assert.deepEqual(failures!.rows.at(-1)!.cells, ['others', '6']);
});

test('a stopped crawl can be started, and one of another process can be paused', () => {
  const stopped = { ...STATUS, crawl: { ...STATUS.crawl!, isStopped: true } };
  assert.deepEqual(viewOfSnapshot(samplerOf(stopped).sampler.snapshot()).actions, ['start']);
  const elsewhere = viewOfSnapshot(samplerOf(null).sampler.snapshot());
  assert.deepEqual([elsewhere.state, elsewhere.actions], ['elsewhere', ['pause', 'resume', 'stop']]);
});
