import assert from 'node:assert/strict';
import { test } from 'node:test';
import { installedDocs } from './installed-docs.ts';
import { measureSpelling } from './measure.ts';

test('over the installed documents errors are corrected and correct queries are not', () => {
  const { errors, right, correct, changed, misses } = measureSpelling(installedDocs(), 300, 2);
  const some = misses.slice(0, 10).join('\n');
  assert.ok(right / errors >= 0.85, `${right} of ${errors} corrected:\n${some}`);
  assert.ok(changed / correct <= 0.01, `${changed} of ${correct} changed:\n${some}`);
});
