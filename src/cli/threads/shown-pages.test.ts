import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ShownPages } from './shown-pages.ts';

test('another thread sees what is counted', () => {
  const shown = new ShownPages();
  const elsewhere = new ShownPages(shown.buffer);
  shown.add(-5n);
  shown.add(-5n);
  shown.add(7n);
  assert.deepEqual(
    [-5n, 7n, 8n].map((fingerprint) => elsewhere.countOf(fingerprint)),
    [2, 1, 0],
  );
});
