import assert from 'node:assert/strict';
import { test } from 'node:test';
import { measureSuggestions } from './measure.ts';

test('a few thousand phrases are suggested, also after a typing error', () => {
  const { phrases, answered, times } = measureSuggestions(5000, 200, 1, 3);
  assert.equal(phrases, 5000);
  assert.equal(times['as written'].length, 200);
  assert.equal(answered['as written'], 200);
  assert.ok(answered['with an error'] > 100);
});
