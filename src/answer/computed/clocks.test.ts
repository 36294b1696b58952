import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerWords, ENGLISH_ANSWERS } from '../messages/answer-words.ts';
import { clocks } from './clocks.ts';
import { momentIn } from './time-zones.ts';

const now = Date.UTC(2026, 6, 15, 12, 34, 56);

function ask(query: string, words = ENGLISH_ANSWERS): [title: string, text: string] | null {
  if (!clocks.matches(query, { now, words })) return null;
  const answer = clocks.answer(query, { now, words }, AbortSignal.timeout(1000));
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

test('an hour skipped by summer time is the hour after it', () => {
  const gap = Date.UTC(2026, 2, 29, 2, 30);
  assert.equal(new Date(momentIn('Europe/Berlin', gap)).toISOString(), '2026-03-29T01:30:00.000Z');
});

test('places are cities, countries with one time, and abbreviations', () => {
  assert.equal(ask('time in sao paulo')?.[0], '09:34');
  assert.equal(ask('time in Nepal')?.[0], '18:19');
  assert.equal(ask('what time is it in nyc right now')?.[0], '08:34');
  assert.equal(ask('heure en Suisse')?.[0], '14:34');
  assert.equal(ask('time zone of Tokyo')?.[0], '21:34');
  assert.equal(ask('time utc')?.[0], '12:34');
  assert.equal(ask('3pm london in tokyo')?.[0], '23:00');
  assert.equal(ask('10:30 a.m. cst to london time')?.[0], '16:30');
});

test('the difference of two clocks needs no word between the places', () => {
  assert.deepEqual(ask('time difference tokyo new york'), [
    '13 hours',
    'Tokyo (UTC+9) is ahead of New York (UTC−4)',
  ]);
  assert.equal(ask('time difference between New York and Los Angeles')?.[0], '3 hours');
  assert.equal(ask('time difference new york los angeles')?.[0], '3 hours');
  assert.equal(ask('time difference India Nepal')?.[0], '15 minutes');
  assert.deepEqual(ask('time difference berlin paris'), [
    '0 minutes',
    'Berlin (UTC+2) and Paris (UTC+2) have the same time',
  ]);
  assert.equal(ask('Zeitunterschied Tokio New York', answerWords('de'))?.[0], '13 Stunden');
  assert.equal(ask('décalage horaire entre Paris et Tokyo', answerWords('fr'))?.[0], '7\u00a0heures');
  assert.equal(ask('فرق التوقيت بين القاهرة ولندن', answerWords('ar'))?.[0], 'ساعتان');
});

test('questions in German, French and Arabic are answered in the language of the page', () => {
  const cases: [language: string, query: string, title: string][] = [
    ['de', 'Wie spät ist es in Tokio?', '21:34'],
    ['de', 'Uhrzeit New York', '08:34'],
    ['de', '9:30 Uhr Berlin in London', '08:30'],
    ['fr', 'quelle heure est-il à Londres ?', '13:34'],
    ['fr', 'heure au Caire', '15:34'],
    ['fr', '9h30 à Paris à Montréal', '03:30'],
    ['ar', 'كم الساعة في طوكيو؟', '9:34 م'],
    ['en', 'Wie spät ist es in Tokio?', '21:34'],
  ];
  for (const [language, query, title] of cases)
    assert.equal(ask(query, answerWords(language))?.[0].replace(/\s/g, ' '), title, query);
  assert.match(ask('الوقت في القاهرة', answerWords('ar'))![1], /القاهرة \(UTC\+3\)$/);
  assert.match(ask('time in Tokyo', answerWords('de'))![1], /Tokio \(UTC\+9\)$/);
});

test('a query that is not a place gives no answer', () => {
  for (const query of ['time in a bottle', 'space time', 'time difference', 'time difference of arrival'])
    assert.equal(ask(query), null, query);
});
