import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canonicalize } from './canonical.ts';
import { languageSuffixesOf, withoutLanguage } from './url-language.ts';

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

test('URLs of translations are equal without the language', () => {
  const groups = [
    ['a.example/start', 'a.example/de/start', 'a.example/pt-br/start', 'de.a.example/start'],
    ['a.example/m/acetone_de.html', 'a.example/m/acetone_en.html', 'a.example/m/acetone.html'],
    ['a.example/guide.html.de', 'a.example/guide.html', 'a.example/guide.fr.html'],
    ['a.example/?p=1&lang=de', 'a.example/?p=1&lang=en', 'a.example/?p=1'],
    ['a.example/de/', 'a.example/en/', 'a.example/'],
    ['b.example/start', 'b.example/is/start'],
  ];
  const keys = groups.map((urls) => [...new Set(urls.map((one) => withoutLanguage(url(one))))]);
  for (const own of keys) assert.equal(own.length, 1, own.join(' '));
  assert.equal(new Set(keys.flat()).size, groups.length);
});
