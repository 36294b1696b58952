import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dates } from './dates.ts';
import { LANGUAGES } from './questions/questions.ts';
import { momentIn } from './time-zones.ts';
import { answerWords, ENGLISH } from './words/answer-words.ts';

const now = Date.UTC(2026, 6, 15, 12, 34, 56);

function ask(query: string, words = ENGLISH): [title: string, text: string] | null {
  if (!dates.matches(query, { now, words })) return null;
  const answer = dates.answer(query, { now, words }, AbortSignal.timeout(1000));
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

test('every language has every sentence, and each can be read', () => {
  const [english, ...others] = Object.values(LANGUAGES);
  for (const forms of others) {
    assert.deepEqual(Object.keys(forms).sort(), Object.keys(english!).sort());
    for (const [kind, sentences] of Object.entries(forms)) assert.ok(sentences.length > 0, kind);
  }
});

test('the same is asked in German, French and Arabic, and answered in the language of the page', () => {
  const cases: [language: string, query: string, title: string][] = [
    ['de', 'Wie spät ist es in Tokio?', '21:34'],
    ['de', 'Uhrzeit New York', '08:34'],
    ['de', '9:30 Uhr Berlin in London', '08:30'],
    ['de', 'Wie viele Tage bis 1. Januar 2027?', '170 Tage'],
    ['de', 'Tage zwischen 28.2.2024 und 1. März 2024', '2 Tage'],
    ['de', 'Tage seit dem 1. Jänner 2000', '9.692 Tage'],
    ['de', '2024-02-28 + 2 Wochen', 'Mittwoch, 13. März 2024'],
    ['de', 'heute', 'Mittwoch, 15. Juli 2026'],
    ['fr', 'quelle heure est-il à Londres ?', '13:34'],
    ['fr', 'heure au Caire', '15:34'],
    ['fr', '9h30 à Paris à Montréal', '03:30'],
    ['fr', 'combien de jours jusqu’au 1er janvier 2027', '170 jours'],
    ['fr', 'jours entre le 28 février 2024 et le 1 mars 2024', '2 jours'],
    ['fr', 'quel jour était le 14 juillet 1789', 'mardi 14 juillet 1789'],
    ['fr', 'aujourd’hui + 3 semaines', 'mercredi 5 août 2026'],
    ['ar', 'كم الساعة في طوكيو؟', '9:34 م'],
    ['ar', 'كم يوم حتى 1 يناير 2027', '170 يومًا'],
    ['ar', 'كم يوما منذ ١ يناير ٢٠٢٦', '195 يومًا'],
    ['en', 'Wie spät ist es in Tokio?', '21:34'],
  ];
  for (const [language, query, title] of cases)
    assert.equal(ask(query, answerWords(language))?.[0].replace(/\s/g, ' '), title, query);
  assert.match(ask('الوقت في القاهرة', answerWords('ar'))![1], /القاهرة \(UTC\+3\)$/);
  assert.match(ask('time in Tokyo', answerWords('de'))![1], /Tokio \(UTC\+9\)$/);
});

test('a word that is a day in another language only is left to the index', () => {
  assert.equal(ask('hier', answerWords('de')), null);
  assert.equal(ask('morgen'), null);
  assert.equal(ask('hier', answerWords('fr'))?.[0], 'mardi 14 juillet 2026');
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
