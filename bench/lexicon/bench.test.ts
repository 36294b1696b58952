import assert from 'node:assert/strict';
import { test } from 'node:test';
import { measureLexicons } from './measure.ts';

test('the CPU time of lexicons is measured for a first and a later batch', async () => {
  const { first, later, all } = await measureLexicons({ journal: null, before: 60, batch: 40 });
  assert.deepEqual([first.pages, later.pages, all.pages], [40, 40, 140]);
  for (const { lexiconMs, indexMs } of [first, later, all]) assert.ok(lexiconMs > 0 && indexMs > 0);
});
