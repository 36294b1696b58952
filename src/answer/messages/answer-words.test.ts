import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ANSWER_LANGUAGES, type AnswerMessage, answerWords, ENGLISH_ANSWERS } from './answer-words.ts';

const places = (message: string) => [...message.matchAll(/\{\w+\}/g)].map(String).sort();

test('every language has every message with the same placeholders', () => {
  const english = ANSWER_LANGUAGES.en!;
  for (const [tag, messages] of Object.entries(ANSWER_LANGUAGES)) {
    assert.deepEqual(Object.keys(messages), Object.keys(english), tag);
    for (const [key, message] of Object.entries(english))
      assert.deepEqual(places(messages[key as AnswerMessage]), places(message), `${tag} ${key}`);
  }
});

test('dates, days and prices have the format of the language', () => {
  const moment = Date.UTC(2026, 6, 15, 12);
  assert.equal(ENGLISH_ANSWERS.day(moment), 'Wednesday 15 July 2026');
  assert.equal(answerWords('de').day(moment), 'Mittwoch, 15. Juli 2026');
  assert.equal(answerWords('fr').day(moment), 'mercredi 15 juillet 2026');
  assert.equal(answerWords('de').span([-170, 'day']), '−170 Tage');
  assert.equal(ENGLISH_ANSWERS.span([1, 'year'], [0, 'month'], [2, 'day']), '1 year, 2 days');
  assert.equal(ENGLISH_ANSWERS.span([0, 'week'], [0, 'day']), '0 days');
  assert.equal(answerWords('fr').percent('12,5').replace(/\s+/g, ' '), '12,5 %');
  assert.equal(answerWords('de').price(1234.5, 'EUR'), '1.234,50\u00a0€');
  assert.equal(answerWords('pt'), ENGLISH_ANSWERS);
});

test('an unknown weather code is shown as unknown', () => {
  assert.equal(answerWords('fr').sky(63), 'pluie');
  assert.equal(ENGLISH_ANSWERS.sky(1234), 'conditions unknown');
  assert.equal(ENGLISH_ANSWERS.sky(null), 'conditions unknown');
});
