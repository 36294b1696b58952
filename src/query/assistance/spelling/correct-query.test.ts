import assert from 'node:assert/strict';
import { test } from 'node:test';
import { vocabularyOf } from '../../../lexicon/lexicon.fixture.ts';
import { correctQuery } from './correct-query.ts';
import { Corrector } from './corrector.ts';

const CORRECTOR = new Corrector(vocabularyOf(['http client for node js', 20]));

test('misspelled words are replaced, and the rest of the query stays', () => {
  const correction = correctQuery('htpt  clinet site:a.example', CORRECTOR)!;
  assert.equal(correction.query, 'http  client site:a.example');
  const changes = correction.changes.map(({ typed, meant }) => `${typed} > ${meant}`);
  assert.deepEqual(changes, ['htpt > http', 'clinet > client']);
  assert.equal(correctQuery('(Clinet OR Ndoe.js)', CORRECTOR)?.query, '(client OR node.js)');
});

test('quoted words and operators are not corrected', () => {
  for (const query of [
    '"htpt clinet"',
    '-clinet',
    '+clinet',
    'clin*',
    'intitle:clinet',
    'http AND client',
    '"clinet',
  ]) {
    assert.equal(correctQuery(query, CORRECTOR), null, query);
  }
});

test('an unknown bang is not corrected, and the other words are', () => {
  assert.equal(correctQuery('!ndoe client', CORRECTOR), null);
  assert.equal(correctQuery('client !ndoe', CORRECTOR), null);
  assert.equal(correctQuery('!ndoe clinet', CORRECTOR)?.query, '!ndoe client');
});

test('a query of correct words has no correction', () => {
  assert.equal(correctQuery('http client', CORRECTOR), null);
  assert.equal(correctQuery('', CORRECTOR), null);
});
