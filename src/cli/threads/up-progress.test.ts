import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CrawlSnapshot } from '../../crawl/mod.ts';
import type { IndexReport } from './index-thread.ts';
import { UpProgress } from './up-progress.ts';

function snapshot(over: Partial<CrawlSnapshot>): CrawlSnapshot {
  const counters = { pages: 0, fetched: 0, bytes: 0, statuses: {}, troubles: {} };
  const now = { queued: 0, activeHosts: 0, underWay: 0, journalFiles: 0 };
  return { state: 'running', ...counters, ...now, isDiskFull: false, ...over };
}

test('a requested pause is shown at once, also without URLs to crawl', () => {
  let isPaused = false;
  const progress = new UpProgress('data', () => isPaused);
  const shown = (state: CrawlSnapshot['state']) => {
    progress.crawled(snapshot({ state, pages: 3 }));
    return progress.status()?.state;
  };
  progress.indexed({ ranked: true } as IndexReport);
  assert.deepEqual([shown('running'), shown('done')], ['crawling', 'idle']);
  isPaused = true;
  assert.deepEqual([shown('running'), shown('paused'), shown('done')], ['paused', 'paused', 'paused']);
  isPaused = false;
  assert.deepEqual([shown('paused'), shown('done')], ['crawling', 'idle']);
});

test('the counters continue when the crawl thread is started again', () => {
  const progress = new UpProgress('data', () => false);
  progress.started();
  const first = { pages: 3, fetched: 5, bytes: 70, statuses: { 200: 4, 404: 1 }, troubles: { timeout: 2 } };
  progress.crawled(snapshot(first));
  progress.started();
  assert.equal(progress.status()?.pages, 3, 'before the first report of the new thread');
  progress.crawled(snapshot({ pages: 1, fetched: 1, bytes: 10, statuses: { 200: 1 }, underWay: 2 }));
  const { pages, errors, crawl } = progress.status()!;
  assert.deepEqual([pages, errors], [4, 2]);
  assert.deepEqual(crawl, {
    fetched: 6,
    bytes: 80,
    statuses: { 200: 5, 404: 1 },
    failures: { timeout: 2 },
    isStopped: false,
    activeHosts: 0,
    underWay: 2,
  });
});
