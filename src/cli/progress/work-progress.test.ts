import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatSize } from '../../base/mod.ts';
import { WorkProgress } from './mod.ts';

function measured() {
  let now = 0;
  let shown = '';
  const show = (text: string) => {
    shown = text;
  };
  const line = { show, clear() {} };
  const progress = new WorkProgress(line, { now: () => now });
  return (atMs: number, work: Parameters<WorkProgress['show']>[0]) => {
    now = atMs;
    progress.show(work);
    return shown;
  };
}

test('progress has the share, the rate of the last seconds and the time left', () => {
  const show = measured();
  const at = (ms: number, count: number, share: number) => show(ms, { doing: 'indexing', count, share });
  assert.equal(at(0, 0, 0), 'indexing 0 %: 0 pages');
  assert.equal(at(500, 40, 0.05), 'indexing 5 %: 40 pages', 'no rate after half a second');
  assert.equal(at(2_000, 200, 0.2), 'indexing 20 %: 200 pages (100/s), 8 s left');
  for (let second = 3; second <= 30; second++) at(second * 1_000, 200 + second, 0.2 + second / 1_000);
  assert.equal(
    at(31_000, 231, 0.231),
    'indexing 23 %: 231 pages (1/s), 13 min left',
    'the first rate is over',
  );
});

test('another step has a rate of its own, and work of unknown size no time left', () => {
  const show = measured();
  show(0, { doing: 'reading links', share: 0 });
  assert.equal(show(4_000, { doing: 'reading links', share: 0.5 }), 'reading links 50 %: 4 s left');
  assert.equal(show(4_100, { doing: 'sorting links', share: null }), 'sorting links');
  const bytes = { doing: 'exporting', format: formatSize, share: null };
  show(5_000, { ...bytes, count: 0 });
  assert.equal(
    show(7_000, { ...bytes, count: 4096, facts: 'one file' }),
    'exporting: 4.0 KiB (2.0 KiB/s), one file',
  );
});
