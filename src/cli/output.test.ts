import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ProgressLine } from './output.ts';

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
