import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dates } from './dates.ts';
import { momentIn } from './time-zones.ts';
import { ENGLISH } from './words/answer-words.ts';

const now = Date.UTC(2026, 6, 15, 12, 34, 56);

function ask(query: string): [title: string, text: string] | null {
  if (!dates.matches(query, { now, words: ENGLISH })) return null;
  const answer = dates.answer(query, { now, words: ENGLISH }, AbortSignal.timeout(1000));
  assert.ok(answer && !(answer instanceof Promise));
  return [answer.title, answer.text];
}

test('the time of a place is that of its zone, summer time and half hours included', () => {
  assert.deepEqual(ask('time in Tokyo'), ['21:34', 'Wednesday 15 July 2026, Tokyo (UTC+9)']);
  assert.deepEqual(ask('what is the time in new york?'), [
    '08:34',
    'Wednesday 15 July 2026, New York (UTC−4)',
  ]);
  assert.deepEqual(ask('Mumbai time'), ['18:04', 'Wednesday 15 July 2026, Kolkata (UTC+5:30)']);
  assert.equal(ask('9:30 Berlin in New York')?.[0], '03:30');
  assert.equal(ask('9pm pst to Tokyo')?.[0], '13:00');
});

test('an hour that clocks leave out is the one behind it', () => {
  const gap = Date.UTC(2026, 2, 29, 2, 30);
  assert.equal(new Date(momentIn('Europe/Berlin', gap)).toISOString(), '2026-03-29T01:30:00.000Z');
});

test('days are counted over leap years and in both directions', () => {
  assert.equal(ask('days between 2024-02-28 and 2024-03-01')?.[0], '2 days');
  assert.equal(ask('days between 1 March 2023 and February 28, 2023')?.[0], '−1 day');
  assert.equal(ask('how many days until 2027-01-01?')?.[0], '170 days');
  assert.equal(ask('days since 2000-01-01')?.[0], '9,692 days');
});

test('dates are moved by days, weeks, months and years', () => {
  assert.equal(ask('2024-02-28 + 2 days')?.[0], 'Friday 1 March 2024');
  assert.equal(ask('2024-01-31 + 1 month')?.[0], 'Thursday 29 February 2024');
  assert.equal(ask('2024-02-29 - 1 year')?.[0], 'Tuesday 28 February 2023');
  assert.equal(ask('today + 3 weeks')?.[0], 'Wednesday 5 August 2026');
  assert.equal(ask('what day is 2000-01-01')?.[0], 'Saturday 1 January 2000');
});

test('what is no date and no place is left to the index', () => {
  for (const query of [
    'time in a bottle',
    'space time',
    'days of thunder',
    '2023-02-29 + 1 day',
    'days until 3/4/2027',
    'event loop',
  ])
    assert.equal(ask(query), null, query);
});
