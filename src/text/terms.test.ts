import assert from 'node:assert/strict';
import { test } from 'node:test';
import { beginsExactly, isExactly, STEMMINGS, stemmingOf, termOf } from './terms.ts';

test('a language has a stemming, by its primary tag', () => {
  const table = { 'pt-br': 'pt', DE: 'de', '': 'en', ru: 'en', 'zh-hant': 'en', pl: 'latin', uk: 'cyrillic' };
  for (const [language, name] of Object.entries(table)) {
    assert.equal(STEMMINGS[stemmingOf(language)], name, language);
  }
});

test('words become terms by the rules of the language', () => {
  const table: [language: string, words: string, term: string][] = [
    ['en', 'run runs running', 'run'],
    ['de', 'haus häuser hauses', 'haus'],
    ['fr', "été étés l'été d'été", 'ete'],
    ['it', "amico l'amico dell'amico", 'amic'],
    ['ru', 'книга книги книг', 'книг'],
    ['en', 'книга книги', 'книг'],
    ['ru', 'running run', 'run'],
    ['ja', 'running run', 'run'],
    ['pl', 'łódź', 'lodz'],
    ['uk', 'книги', 'книги'],
    ['en', 'c++', 'c++'],
    ['en', '.net', '.net'],
    ['en', 'utf8s', 'utf8s'],
    ['en', '東京', '東京'],
    ['en', 'naïve', 'naiv'],
  ];
  for (const [language, words, term] of table) {
    for (const word of words.split(' '))
      assert.equal(termOf(word, stemmingOf(language)), term, `${language} ${word}`);
  }
});

test('typed accents must match', () => {
  assert.ok(isExactly('schön', 'schön'));
  assert.ok(isExactly('schon', 'schön'));
  assert.ok(isExactly('schon', 'schon'));
  assert.ok(!isExactly('schön', 'schon'));
  assert.ok(!isExactly('run', 'running'));
  assert.ok(beginsExactly('resu', 'résumé'));
  assert.ok(!beginsExactly('résu', 'resume'));
});

test('an elided article may be omitted but not added', () => {
  assert.ok(isExactly('été', "l'été"));
  assert.ok(isExactly('ete', "l'été"));
  assert.ok(isExactly('università', "dell'università"));
  assert.ok(!isExactly('été', "l'étés"));
  assert.ok(!isExactly('été', "l'ete"));
  assert.ok(!isExactly("l'été", 'été'));
  assert.ok(!isExactly('neill', "o'neill"));
});
