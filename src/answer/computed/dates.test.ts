import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerWords, ENGLISH_ANSWERS } from '../messages/answer-words.ts';
import { QUESTION_LANGUAGES } from '../questions/questions.ts';
import { dates } from './dates.ts';

const now = Date.UTC(2026, 6, 15, 12, 34, 56);

function ask(query: string, words = ENGLISH_ANSWERS): [title: string, text: string] | null {
  if (!dates.matches(query, { now, words })) return null;
  const answer = dates.answer(query, { now, words }, AbortSignal.timeout(1000));
  assert.ok(answer && !(answer instanceof Promise));
  return [answer.title, answer.text];
}

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
  assert.equal(ask('2 weeks from today')?.[0], 'Wednesday 29 July 2026');
  assert.equal(ask('today minus 30 days')?.[0], 'Monday 15 June 2026');
  assert.equal(ask('a week from now')?.[0], 'Wednesday 22 July 2026');
  assert.equal(ask('in 3 weeks')?.[0], 'Wednesday 5 August 2026');
  assert.equal(ask('3 weeks ago')?.[0], 'Wednesday 24 June 2026');
  assert.equal(ask('10 days before christmas')?.[0], 'Tuesday 15 December 2026');
  assert.deepEqual(ask('90 days after 3 May 2026'), [
    'Saturday 1 August 2026',
    'Sunday 3 May 2026 + 90 days =',
  ]);
});

test('a date answer has its weekday and its distance', () => {
  assert.deepEqual(ask('what day is 2027-03-01'), ['Monday 1 March 2027', 'in 229 days']);
  assert.equal(ask('what day of the week was 4 July 1776')?.[0], 'Thursday 4 July 1776');
  assert.deepEqual(ask("what is today's date?"), ['Wednesday 15 July 2026', 'today']);
  assert.equal(ask('next friday')?.[0], 'Friday 17 July 2026');
  assert.deepEqual(ask('how many days are in february 2024'), ['29 days', 'February 2024']);
  assert.equal(ask('wie viele Tage hat der März')?.[1], 'March 2026');
  assert.equal(ask('when is easter')?.[0], 'Sunday 28 March 2027');
  assert.equal(ask('Easter 2030')?.[0], 'Sunday 21 April 2030');
});

test('named days and days without a year are the next or the last one', () => {
  assert.equal(ask('days until christmas')?.[0], '163 days');
  assert.equal(ask('how many days until 25 december')?.[0], '163 days');
  assert.equal(ask('days since christmas')?.[0], '202 days');
  assert.equal(ask('days until friday')?.[0], '2 days');
  assert.equal(ask('days until july 15')?.[0], '0 days');
  assert.equal(ask('when is thanksgiving')?.[0], 'Thursday 26 November 2026');
});

test('a time span is given in the requested unit, with the remainder', () => {
  assert.equal(ask('how many weeks until christmas')?.[0], '23 weeks, 2 days');
  assert.equal(ask('months between 2024-01-31 and 2024-02-29')?.[0], '1 month');
  assert.equal(ask('years since 1969-07-20')?.[0], '56 years, 11 months, 25 days');
  assert.deepEqual(ask('age of someone born 1990-07-16'), [
    '35 years',
    'born on Monday 16 July 1990; 13,148 days until today',
  ]);
  assert.equal(ask('how old is someone born 2 May 2090'), null);
});

test('weeks are those of ISO 8601', () => {
  assert.deepEqual(ask('week number'), ['Week 29', 'from Monday 13 July 2026 to Sunday 19 July 2026']);
  assert.equal(ask('calendar week 2027-01-03')?.[0], 'Week 53');
  assert.equal(ask('what week is 2027-01-04')?.[0], 'Week 1');
});

test('Unix times are converted to dates and back', () => {
  assert.equal(ask('unix time 1700000000')?.[0], 'Tuesday 14 November 2023, 22:13:20 UTC');
  assert.equal(ask('unix timestamp 1700000000000')?.[0], 'Tuesday 14 November 2023, 22:13:20 UTC');
  assert.equal(ask('unix time')?.[0], '1784118896');
  assert.equal(ask('unix time 2024-01-01')?.[0], '1704067200');
});

test('every language has every question form, and each can be parsed', () => {
  const [english, ...others] = Object.values(QUESTION_LANGUAGES);
  for (const forms of others) {
    assert.deepEqual(Object.keys(forms).sort(), Object.keys(english!).sort());
    for (const [kind, sentences] of Object.entries(forms)) assert.ok(sentences.length > 0, kind);
  }
});

test('questions in German, French and Arabic are answered in the language of the page', () => {
  const cases: [language: string, query: string, title: string][] = [
    ['de', 'Wie viele Tage bis 1. Januar 2027?', '170 Tage'],
    ['de', 'Tage zwischen 28.2.2024 und 1. März 2024', '2 Tage'],
    ['de', 'Tage seit dem 1. Jänner 2000', '9.692 Tage'],
    ['de', '2024-02-28 + 2 Wochen', 'Mittwoch, 13. März 2024'],
    ['de', 'wie viele Tage bis Weihnachten', '163 Tage'],
    ['de', '90 Tage nach dem 3. Mai 2026', 'Samstag, 1. August 2026'],
    ['de', 'vor 2 Wochen', 'Mittwoch, 1. Juli 2026'],
    ['de', 'welche KW ist 31.12.2026', 'Kalenderwoche 53'],
    ['de', 'wann ist Ostern 2027', 'Sonntag, 28. März 2027'],
    ['de', 'heute', 'Mittwoch, 15. Juli 2026'],
    ['fr', 'combien de jours jusqu’au 1er janvier 2027', '170 jours'],
    ['fr', 'jours entre le 28 février 2024 et le 1 mars 2024', '2 jours'],
    ['fr', 'quel jour était le 14 juillet 1789', 'mardi 14 juillet 1789'],
    ['fr', 'combien de jours avant Noël', '163 jours'],
    ['fr', 'dans 3 semaines', 'mercredi 5 août 2026'],
    ['fr', 'numéro de semaine', 'Semaine 29'],
    ['fr', 'aujourd’hui + 3 semaines', 'mercredi 5 août 2026'],
    ['ar', 'كم يوم حتى 1 يناير 2027', '170 يومًا'],
    ['ar', 'متى عيد الفطر', 'الثلاثاء، 9 مارس 2027'],
    ['ar', 'بعد 3 أسابيع', 'الأربعاء، 5 أغسطس 2026'],
    ['ar', 'كم يوما منذ ١ يناير ٢٠٢٦', '195 يومًا'],
  ];
  for (const [language, query, title] of cases)
    assert.equal(ask(query, answerWords(language))?.[0].replace(/\s/g, ' '), title, query);
});

test('a day name of another language gives no answer', () => {
  assert.equal(ask('hier', answerWords('de')), null);
  assert.equal(ask('morgen'), null);
  assert.equal(ask('hier', answerWords('fr'))?.[0], 'mardi 14 juillet 2026');
});

test('a query that is neither a date nor a place gives no answer', () => {
  for (const query of [
    'days of thunder',
    '28 days later',
    'the day after tomorrow',
    'age of empires',
    'days in paradise',
    'unix',
    '2023-02-29 + 1 day',
    'days until 3/4/2027',
    'event loop',
  ])
    assert.equal(ask(query), null, query);
});
