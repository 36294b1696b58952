import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CrawlSnapshot } from '../../crawl/mod.ts';
import { crawlLine } from '../output.ts';
import { RateMeter } from './crawl-rates.ts';

function snapshot(pages: number, over: Partial<CrawlSnapshot> = {}): CrawlSnapshot {
  const hosts = { activeHosts: 3, underWay: 1, queued: 7, journalFiles: 0 };
  return {
    state: 'running',
    pages,
    fetched: pages,
    bytes: pages * 1024,
    ...hosts,
    troubles: {},
    statuses: {},
    isDiskFull: false,
    ...over,
  };
}

test('rates cover the last seconds, and the average the whole crawl', () => {
  const meter = new RateMeter(0);
  for (let second = 1; second <= 20; second++) meter.measure(snapshot(second * 100), second * 1000);
  const { pagesPerSecond, bytesPerSecond } = meter.measure(snapshot(2000), 22_000);
  assert.ok(pagesPerSecond > 40 && pagesPerSecond < 80, `${pagesPerSecond}`);
  assert.equal(bytesPerSecond, pagesPerSecond * 1024);
  assert.equal(meter.average(snapshot(2000), 20_000).pagesPerSecond, 100);
});

test('the progress line has pages, bytes, queues and each kind of error', () => {
  const rates = { pagesPerSecond: 12.3, bytesPerSecond: 2048 };
  const troubles = { timeout: 1, 'HTTP 503': 2 };
  assert.equal(
    crawlLine(snapshot(90, { troubles }), rates, 'data'),
    'crawled 90 pages (12/s), 90.0 KiB (2.0 KiB/s); 7 queued on 3 hosts, at least 1 s, 1 in flight; errors: HTTP 503 (2), timeout',
  );
});

test('the line of a paused crawl has the command that resumes it', () => {
  const rates = { pagesPerSecond: 0, bytesPerSecond: 0 };
  const line = crawlLine(snapshot(1, { state: 'paused' }), rates, '/srv/gyre');
  assert.match(line, /^paused, (?:npx )?gyre resume --data \/srv\/gyre continues; crawled 1 page /);
});
