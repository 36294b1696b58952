import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canonicalize } from './canonical.ts';
import { languageSuffixesOf } from './url-language.ts';

const url = (rest: string) => canonicalize(`http://${rest}`)!;

test('the end of a file name may declare a language', () => {
  const suffixes = (path: string) => languageSuffixesOf(url(`a.example/${path}`));
  assert.deepEqual(suffixes('ketones/acetone_de.html'), ['de']);
  assert.deepEqual(suffixes('guide-fr'), ['fr']);
  assert.deepEqual(suffixes('acetone_tw.html'), ['tw', 'zh']);
  assert.deepEqual(suffixes('_de.html'), []);
  assert.deepEqual(suffixes('de.html'), []);
  assert.deepEqual(suffixes('acetone_x1.html'), []);
  assert.deepEqual(suffixes('a_de/b.html?c_de'), []);
});
