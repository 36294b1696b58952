import assert from 'node:assert/strict';
import { test } from 'node:test';
import { vocabularyOf } from '../../../lexicon/lexicon.fixture.ts';
import { Corrector } from './corrector.ts';
import { typingLikelihood } from './typing-errors.ts';

function correctorOf(...texts: [text: string, times: number][]): Corrector {
  return new Corrector(vocabularyOf(...texts));
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

test('an unknown word becomes its most likely neighbour', () => {
  assert.equal(corrected('htpt clinet'), 'http client');
  assert.equal(corrected('evnt'), 'event');
});

test('the previous word decides between neighbours', () => {
  assert.equal(corrected('event looo'), 'event loop');
  assert.equal(corrected('looo boxes'), 'loot boxes');
});

test('words of the index are not corrected to more common neighbours', () => {
  for (const query of ['http clients', 'loot', 'with width', 'the loop'])
    assert.equal(corrected(query), query);
});

test('a rare word of the index stays, and a number before it is not context', () => {
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

test('a word is not replaced by another form of itself, in the languages of the query', () => {
  const corrector = correctorOf(
    ['questionnaires wir installieren und der ist mit ein', 3000],
    ['ads', 2],
    ['as', 9000],
  );
  for (const query of ['questionnaire', 'wie installiere wir', 'block ads'])
    assert.equal(corrector.correct(query.split(' ')).join(' '), query);
  assert.equal(corrector.correct(['installiere']).join(' '), 'installieren');
});

test('everyday words stay in any form, even if the index lacks it', () => {
  const corrector = correctorOf(['all files by red amp', 3000]);
  for (const query of ['5 miles in km', 'buy red lamp', 'two lamps'])
    assert.equal(corrector.correct(query.split(' ')).join(' '), query);
  assert.equal(corrector.correct(['red', 'fiels']).join(' '), 'red files');
});

test('everyday words of other languages stay, in any form and without accents', () => {
  const corrector = correctorOf(['the better cache of has hand goto storage then page', 3000]);
  const queries = [
    'wetter',
    'haus',
    'hund',
    'gato',
    'coche',
    'strassen',
    'tren',
    'pane',
    'huis',
    'strasse häuser',
  ];
  for (const query of queries) assert.equal(corrector.correct(query.split(' ')).join(' '), query);
});

test('an everyday word that is an error is corrected beside words of the index', () => {
  const corrector = correctorOf(['build status of the page', 3000]);
  assert.equal(corrector.correct(['bild', 'status', 'page']).join(' '), 'build status page');
});

test('a query is corrected only in a language that the index has', () => {
  const query = ['resepte', 'für', 'den', 'balkon'];
  const english = correctorOf(['receipt for the balkan', 3000]);
  assert.deepEqual(english.correct(query), query);
  const german = correctorOf(['rezepte und tipps für den balkon und der garten ist mit ein', 3000]);
  assert.equal(german.correct(query).join(' '), 'rezepte für den balkon');
});

test('a missing accent is no error, and a typed accent is kept', () => {
  const likelihood = (typed: string, meant: string) => typingLikelihood(typed, meant, 1);
  assert.ok(likelihood('cafe', 'café') > likelihood('cafo', 'café'));
  assert.ok(likelihood('cafè', 'café') > likelihood('caf', 'café'));
  assert.ok(likelihood('olá', 'old') < 2 * likelihood('olx', 'old'));
  assert.ok(likelihood('pãra', 'pra') < 2 * likelihood('pxra', 'pra'));
});

test('short words, numbers and words without neighbours stay', () => {
  for (const query of ['ht', 'v24 htt2', 'xylophone', '']) assert.equal(corrected(query), query);
});

test('common typing errors are more likely than others', () => {
  const likelihood = (typed: string) => typingLikelihood(typed, 'client', 1);
  assert.equal(likelihood('client'), 0);
  assert.ok(likelihood('cleint') > likelihood('cwient'), 'swapped before wrong');
  assert.ok(likelihood('cloent') > likelihood('clqent'), 'the next key before a far one');
  assert.ok(likelihood('cliient') > likelihood('clizent'), 'doubled before foreign');
  assert.ok(likelihood('clienr') > likelihood('vlient'), 'the last letter before the first');
  assert.equal(likelihood('clt'), Number.NEGATIVE_INFINITY);
});
