import assert from 'node:assert/strict';
import { test } from 'node:test';
import { spanText, whenText } from './numbers.ts';

const SPANS: [ms: number, text: string][] = [
  [250, '250 ms'],
  [1000, '1 s'],
  [61_000, '61 s'],
  [90_000, '1.5 min'],
  [3_600_000, '60 min'],
  [7_200_000, '2 h'],
  [3 * 86_400_000, '3 d'],
];

test('a span is written in its largest unit', () => {
  for (const [ms, text] of SPANS) assert.equal(spanText(ms), text);
});

test('a time is before, after or now', () => {
  assert.equal(whenText(10_000, 5_000), 'in 5 s');
  assert.equal(whenText(5_000, 10_000), '5 s ago');
  assert.equal(whenText(5_000, 5_400), 'now');
});
