import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UsageError } from './errors.ts';
import { formatSize, parseDuration, parseSize } from './units.ts';

test('sizes and times are read with their units', () => {
  assert.equal(parseSize('64Mi'), 64 * 1024 * 1024);
  assert.equal(parseSize('1.5k'), 1500);
  assert.equal(parseSize('12'), 12);
  assert.equal(parseDuration('250ms'), 250);
  assert.equal(parseDuration('1.5h'), 5_400_000);
  assert.equal(formatSize(3 * 1024 * 1024), '3.0 MiB');
});

test('a duration without a unit or with an unknown one is rejected', () => {
  for (const text of ['10', '10 parsecs', '', '-1s', 's'])
    assert.throws(() => parseDuration(text), UsageError, text);
  for (const text of ['ten', '1Xi', '1e3']) assert.throws(() => parseSize(text), UsageError, text);
});
