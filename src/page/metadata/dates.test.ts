import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findStatedDates, firstDate, parseDate } from './dates.ts';

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

test('a page may state its date in words, at its beginning or its end', () => {
  const prose = 'The river had been rising since the morning. '.repeat(40);
  const table: [string, string | null][] = [
    ['Last updated on Nov 05, 2024.', '2024-11-05'],
    ['This page last modified on 2021-10-06 14:45:14 UTC', '2021-10-06'],
    ['Last modified: Tue, 5 March 2019', '2019-03-05'],
    ['Last changed 2019, in spring', null],
    ['Version 2.1, 2019-03-05', null],
  ];
  for (const [line, expected] of table) {
    const time = firstDate(findStatedDates(`${prose}\n${line}`).modified);
    assert.equal(time === null ? null : new Date(time).toISOString().slice(0, 10), expected, line);
  }
  assert.deepEqual(findStatedDates('Posted on May 1, 2020 by Ann').published, ['May 1, 2020']);
  assert.deepEqual(findStatedDates(`${prose}Published: May 1, 2020. ${prose}`).published, []);
});
