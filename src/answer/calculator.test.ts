import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from '../base/mod.ts';
import { calculate, calculator } from './calculator.ts';
import { formatFraction, toNumber } from './fraction.ts';
import { answerWords, ENGLISH } from './words/answer-words.ts';

const context = { now: 0, words: ENGLISH };

function ask(query: string): string | null {
  if (!calculator.matches(query, context)) return null;
  const answer = calculator.answer(query, context, AbortSignal.timeout(1000));
  assert.ok(!(answer instanceof Promise));
  return answer?.title ?? null;
}

test('arithmetic is exact where it can be, and says where it is not', () => {
  const cases: Record<string, string> = {
    '0.1 + 0.2': '0.3',
    '1/3 + 1/6': '0.5',
    '2 + 3 * 4': '14',
    '(2 + 3) × 4': '20',
    '2^3^2': '512',
    '-2^2': '−4',
    '2^-2': '0.25',
    '7 mod 3': '1',
    '-7 mod 3': '2',
    '20% * 50': '10',
    '5!': '120',
    '1,234,567 * 2': '2,469,134',
    'sqrt(144)': '12',
    'sqrt 2': '≈ 1.4142135623731',
    '2(3+4)': '14',
    '2 pi': '≈ 6.28318530717959',
    '1/7': '≈ 0.142857142857143',
    '2^100': '1,267,650,600,228,229,401,496,703,205,376',
    '1e3 + 1': '1,001',
    'what is 6*7 = ?': '42',
    '(1+2': '3',
  };
  for (const [query, expected] of Object.entries(cases)) assert.equal(ask(query), expected, query);
});

test('questions and figures of other languages are read, and answered in the same', () => {
  const cases: [language: string, query: string, expected: string][] = [
    ['de', 'Was ist 0,1 + 0,2?', '0,3'],
    ['de', '1.000 * 1,5', '1.500'],
    ['de', '20 % von 50', '10'],
    ['fr', 'combien font 6 × 7 ?', '42'],
    ['fr', '1/8', '0,125'],
    ['ar', 'احسب ٦ × ٧', '42'],
    ['en', '15% of 80', '12'],
    ['en', '0,5 + 1', '1.5'],
  ];
  for (const [language, query, expected] of cases) {
    const own = { now: 0, words: answerWords(language) };
    assert.ok(calculator.matches(query, own), query);
    const answer = calculator.answer(query, own, AbortSignal.timeout(1000));
    assert.ok(!(answer instanceof Promise));
    assert.equal(answer?.title, expected, query);
  }
});

test('what is no arithmetic is left to the index', () => {
  const queries = [
    'http client',
    '2024',
    'windows 11',
    '2024-05-01',
    '555-1234',
    'c++ 20',
    'e',
    'mp3 player',
  ];
  for (const query of [...queries, '007', '24/7/365', 'top 10 films', '1 + alert(1)', 'sin city'])
    assert.equal(ask(query), null, query);
});

test('what has no value or would take for ever is no answer', () => {
  const deep = `${'('.repeat(90)}1`;
  for (const query of [
    '1/0',
    'sqrt(0-1)',
    '9^9^9^9',
    '9999!',
    '1+',
    '2 +* 3',
    deep,
    '0^-1',
    `2${'^2'.repeat(60)}`,
  ])
    assert.equal(ask(query), null, query);
});

test('powers of one and minus one have any exponent', () => {
  assert.equal(ask('1^99999999999'), '1');
  assert.equal(ask('(-1)^99999999999'), '−1');
  assert.equal(ask('0^5'), '0');
});

test('random sums and products agree with whole numbers of JavaScript', () => {
  const seed = Date.now() >>> 0;
  const random = new Random(seed);
  for (let round = 0; round < 500; round++) {
    const [a, b, c] = [random.below(2000) - 1000, random.below(2000) - 1000, random.below(999) + 1];
    const value = calculate(`(${a} + ${b}) * ${c} - ${a} / ${c}`);
    const expected = (a + b) * c - a / c;
    assert.ok(Math.abs(toNumber(value) - expected) < 1e-6, `seed ${seed}: ${a} ${b} ${c}`);
    assert.equal(
      formatFraction(calculate(`${a} * ${b}`))
        .replace('−', '-')
        .replaceAll(',', ''),
      String(a * b || 0),
    );
  }
});
