import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerWords } from '../messages/answer-words.ts';
import { numerals } from './numerals.ts';

function ask(query: string, language = 'en'): string | null {
  const context = { now: 0, words: answerWords(language) };
  if (!numerals.matches(query, context)) return null;
  const answer = numerals.answer(query, context, AbortSignal.timeout(1000));
  assert.ok(!(answer instanceof Promise));
  return answer?.title ?? null;
}

test('a number is converted to another base, Roman numerals or a fraction', () => {
  const cases: Record<string, string> = {
    '255 in hex': '0xFF',
    '255 to binary': '0b11111111',
    '-8 in octal': '−0o10',
    '0x1f in decimal': '31',
    '0b1010 in decimal': '10',
    'hex ff to decimal': '255',
    'convert ff hex to binary': '0b11111111',
    '2^10 in binary': '0b10000000000',
    '2024 in roman numerals': 'MMXXIV',
    'roman numeral 1994': 'MCMXCIV',
    'MCMXCIV in decimal': '1,994',
    'roman numeral XIV': '14',
    '0.75 as a fraction': '3/4',
    '1/8 as a decimal': '0.125',
  };
  for (const [query, expected] of Object.entries(cases)) assert.equal(ask(query), expected, query);
});

test('numeral questions in other languages are answered', () => {
  assert.equal(ask('255 in hexadezimal', 'de'), '0xFF');
  assert.equal(ask('0,75 als Bruch', 'de'), '3/4');
  assert.equal(ask('2024 in römischen Zahlen', 'de'), 'MMXXIV');
  assert.equal(ask('255 en binaire', 'fr'), '0b11111111');
  assert.equal(ask('2024 en chiffres romains', 'fr'), 'MMXXIV');
  assert.equal(ask('255 إلى ثنائي', 'ar'), '0b11111111');
});

test('a number without such a form gives no answer', () => {
  for (const query of [
    '0.5 in hex',
    '5000 in roman numerals',
    'IIII in decimal',
    'pi as fraction',
    'png in hex',
    'hex editor',
  ])
    assert.equal(ask(query), null, query);
});
