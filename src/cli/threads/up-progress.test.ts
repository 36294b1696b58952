import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CrawlSnapshot } from '../../crawl/mod.ts';
import type { IndexReport } from './index-thread.ts';
import { UpProgress } from './up-progress.ts';

test('a requested pause is shown at once, also without URLs to crawl', () => {
  let isPaused = false;
  const progress = new UpProgress('data', () => isPaused);
  const shown = (state: CrawlSnapshot['state']) => {
    progress.crawled({ state, pages: 3, queued: 0, troubles: {} } as CrawlSnapshot);
    return progress.status()?.state;
  };
  progress.indexed({ ranked: true } as IndexReport);
  assert.deepEqual([shown('running'), shown('done')], ['crawling', 'idle']);
  isPaused = true;
  assert.deepEqual([shown('running'), shown('paused'), shown('done')], ['paused', 'paused', 'paused']);
  isPaused = false;
  assert.deepEqual([shown('paused'), shown('done')], ['crawling', 'idle']);
});
