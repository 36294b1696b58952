import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DocSet } from './doc-set.ts';

test('the documents of a set are listed in ascending order', () => {
  const set = new DocSet(20);
  for (const doc of [19, 0, 8, 7]) set.add(doc);
  assert.deepEqual(set.toArray(), [0, 7, 8, 19]);
  assert.deepEqual(new DocSet(20).toArray(), []);
});
