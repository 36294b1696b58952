import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseDate } from './dates.ts';

const TABLE: [string, string | null][] = [
  ['2024-05-01', '2024-05-01T00:00:00.000Z'],
  ['20240501', '2024-05-01T00:00:00.000Z'],
  [' 2024-05-01T10:20:30Z ', '2024-05-01T10:20:30.000Z'],
  ['2024-05-01T10:20:30.123456+02:00', '2024-05-01T08:20:30.000Z'],
  ['2024-05-01T10:20:30+0200', '2024-05-01T08:20:30.000Z'],
  ['2024-05-01T10:20:30-05', '2024-05-01T15:20:30.000Z'],
  ['2024-05-01 10:20', '2024-05-01T10:20:00.000Z'],
  ['Wed, 01 May 2024 10:20:30 GMT', '2024-05-01T10:20:30.000Z'],
  ['Wed, 01 May 2024 10:20:30 +0200', '2024-05-01T08:20:30.000Z'],
  ['1 May 2024', '2024-05-01T00:00:00.000Z'],
  ['May 1, 2024', '2024-05-01T00:00:00.000Z'],
  ['May 1, 2024 10:20', '2024-05-01T10:20:00.000Z'],
  ['', null],
  ['yesterday', null],
  ['2024', null],
  ['2024-13-41', null],
  ['version 2024', null],
  ['1970-01-01', null],
  ['9999-12-31', null],
  [`2024-05-01${' '.repeat(500)}`, null],
];

test('dates of the table are parsed', () => {
  for (const [text, expected] of TABLE) {
    const time = parseDate(text);
    assert.equal(time === null ? null : new Date(time).toISOString(), expected, text);
  }
});
