import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CrawlSnapshot } from '../crawl/mod.ts';
import { crawlLine, ProgressLine } from './output.ts';

function shownIn(columns: number, line: string): string {
  let shown = '';
  const write = (text: string) => {
    shown += text;
  };
  new ProgressLine({ isTTY: true, columns, write }).show(line);
  return shown.replace('\r\u001b[K', '');
}

test('a progress line that is too long loses whole facts, not parts of numbers', () => {
  const line = 'crawled 90 pages (12/s), 3.1 MiB (0.4 MiB/s); 200 queued on 9 hosts, 12 in flight';
  assert.equal(shownIn(100, line), line);
  assert.equal(shownIn(76, line), 'crawled 90 pages (12/s), 3.1 MiB (0.4 MiB/s); 200 queued on 9 hosts…');
  assert.equal(shownIn(56, line), 'crawled 90 pages (12/s), 3.1 MiB (0.4 MiB/s)…');
  assert.equal(shownIn(11, 'x'.repeat(20)), `${'x'.repeat(9)}…`);
});

test('the state of a crawl begins with what is indexed, and fits into 80 columns', () => {
  const snapshot: CrawlSnapshot = {
    ...{ state: 'running', pages: 12_345, fetched: 13_000, bytes: 345_678_901, statuses: {} },
    ...{ troubles: { timeout: 2 }, queued: 2_400, activeHosts: 97, underWay: 12 },
    ...{ journalFiles: 3, isDiskFull: false },
  };
  const line = crawlLine(snapshot, { pagesPerSecond: 12, bytesPerSecond: 40_000 }, 'data', 11_990);
  assert.match(
    line,
    /^11990 indexed; crawled 12345 pages \(12\/s\), .*2400 queued on 97 hosts, at least 3 min,/,
  );
  const shown = shownIn(80, line);
  assert.ok(shown.startsWith('11990 indexed; crawled 12345 pages (12/s), 329.7 MiB'));
  assert.ok(shown.length < 80);
});

test('on a terminal an unchanged progress line comes back after a message has cleared it', (context) => {
  context.mock.timers.enable({ apis: ['Date'], now: 10_000 });
  const writes: string[] = [];
  const line = new ProgressLine({ isTTY: true, columns: 80, write: (text: string) => writes.push(text) });
  for (const [afterMs, count] of [
    [0, 1],
    [300, 1],
    [800, 2],
  ] as const) {
    context.mock.timers.tick(afterMs);
    line.show('indexing');
    assert.equal(writes.length, count);
  }
});

test('outside a terminal progress is printed every five seconds, and not for short work', (context) => {
  context.mock.timers.enable({ apis: ['Date'], now: 10_000 });
  const writes: string[] = [];
  const line = new ProgressLine({ isTTY: false, columns: 80, write: (text: string) => writes.push(text) });
  for (const count of [1, 2, 3, 4, 5, 6]) {
    line.show(`${count} pages`);
    context.mock.timers.tick(2_000);
  }
  assert.deepEqual(writes, ['4 pages\n']);
});
