import assert from 'node:assert/strict';
import { test } from 'node:test';
import { holidayIn } from './holidays.ts';

const dayIn = (...of: Parameters<typeof holidayIn>) => new Date(holidayIn(...of)!).toISOString().slice(0, 10);

test('Easter has the right date, also the earliest and the latest', () => {
  const sundays = [
    '1818-03-22',
    '1943-04-25',
    '1954-04-18',
    '1981-04-19',
    '2000-04-23',
    '2024-03-31',
    '2026-04-05',
  ];
  for (const sunday of sundays) assert.equal(dayIn('easter', Number(sunday.slice(0, 4))), sunday);
});

test('the fourth Thursday is not always the last', () => {
  assert.equal(dayIn('thanksgiving', 2023), '2023-11-23');
  assert.equal(dayIn('thanksgiving', 2029), '2029-11-22');
});

test('Islamic holidays have the right dates', () => {
  assert.equal(dayIn('ramadan', 2025), '2025-03-01');
  assert.equal(dayIn('eidAlFitr', 2026), '2026-03-20');
  assert.equal(dayIn('eidAlAdha', 2024), '2024-06-16');
});
