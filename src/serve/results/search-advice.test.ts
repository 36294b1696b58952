import assert from 'node:assert/strict';
import { test } from 'node:test';
import { searchAdvice } from './search-advice.ts';

function looser(query: string): string[] {
  return searchAdvice(query).map((advice) => advice.query);
}

test('advice removes only restrictions that the query has', () => {
  assert.deepEqual(looser('plain words'), []);
  assert.deepEqual(looser('"two words" more'), ['two words more']);
  assert.deepEqual(looser('a site:x.example b'), ['a b']);
  assert.deepEqual(looser('a -b well-known -"c d"'), ['a well-known']);
  assert.deepEqual(looser('"a b" -"c d"'), ['a b -"c d"', '"a b"']);
});

test('an empty query is not offered as advice', () => {
  assert.deepEqual(looser('site:x.example'), []);
  assert.deepEqual(looser('""'), []);
});
