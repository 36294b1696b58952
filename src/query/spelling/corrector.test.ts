import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeVocabulary, Vocabulary, WordCounter } from '../../words/mod.ts';
import { Corrector } from './corrector.ts';
import { typingLikelihood } from './typing-errors.ts';

function correctorOf(...texts: [text: string, times: number][]): Corrector {
  const counter = new WordCounter();
  for (const [text, times] of texts) counter.add(text, times);
  return new Corrector(new Vocabulary(encodeVocabulary({ generation: 1, docs: 1 }, counter.finish())));
}

const CORRECTOR = correctorOf(
  ['the event loop', 20],
  ['http client', 30],
  ['cheap clients', 5],
  ['loot boxes', 20],
  ['string width', 20],
  ['with care', 30],
);

const corrected = (query: string) => CORRECTOR.correct(query.split(' ')).join(' ');

test('a word that nobody writes becomes its likeliest neighbour', () => {
  assert.equal(corrected('htpt clinet'), 'http client');
  assert.equal(corrected('evnt'), 'event');
});

test('the word before decides between neighbours', () => {
  assert.equal(corrected('event looo'), 'event loop');
  assert.equal(corrected('looo boxes'), 'loot boxes');
});

test('words that the index knows are left alone, though a commoner one is near', () => {
  for (const query of ['http clients', 'loot', 'with width', 'the loop'])
    assert.equal(corrected(query), query);
});

test('a rare word that the index knows stays, and a number before it is no context', () => {
  const corrector = correctorOf(
    ['5 files', 60],
    ['all files', 3000],
    ['miles walked', 3],
    ['the event', 3_000_000],
  );
  for (const query of ['5 miles', 'miles', 'miles walked'])
    assert.equal(corrector.correct(query.split(' ')).join(' '), query);
  assert.equal(corrector.correct(['5', 'filse']).join(' '), '5 files');
});

test('everyday words stay in whatever form, though the index knows only others', () => {
  const corrector = correctorOf(['all files by red amp', 3000]);
  for (const query of ['5 miles in km', 'buy red lamp', 'two lamps'])
    assert.equal(corrector.correct(query.split(' ')).join(' '), query);
  assert.equal(corrector.correct(['red', 'fiels']).join(' '), 'red files');
});

test('short words, numbers and words without neighbours stay', () => {
  for (const query of ['ht', 'v24 htt2', 'xylophone', '']) assert.equal(corrected(query), query);
});

test('errors that hands make often are likelier than others', () => {
  const likelihood = (typed: string) => typingLikelihood(typed, 'client', 1);
  assert.equal(likelihood('client'), 0);
  assert.ok(likelihood('cleint') > likelihood('cwient'), 'swapped before wrong');
  assert.ok(likelihood('cloent') > likelihood('clqent'), 'the next key before a far one');
  assert.ok(likelihood('cliient') > likelihood('clizent'), 'doubled before foreign');
  assert.ok(likelihood('clienr') > likelihood('vlient'), 'the last letter before the first');
  assert.equal(likelihood('clt'), Number.NEGATIVE_INFINITY);
});
