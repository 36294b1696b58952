import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wordFinder } from './word-finder.ts';

test('words are highlighted by the rules of the index, and excluded words are not', () => {
  const text = 'Café au lait, and a cafe.';
  assert.deepEqual(
    wordFinder('cafe -lait', 'en')(text).map(([start, end]) => text.slice(start, end)),
    ['Café', 'cafe'],
  );
});

test('words are highlighted by the language of the text, with or without accents', () => {
  const marked = (query: string, language: string, text: string) =>
    wordFinder(query, language)(text).map(([start, end]) => text.slice(start, end));
  assert.deepEqual(marked('Haus', 'de', 'Die Häuser am Hang'), ['Häuser']);
  assert.deepEqual(marked('care', 'en', 'cars and caring'), ['caring']);
  assert.deepEqual(marked('care', 'nl', 'cars and care'), ['cars', 'care']);
  assert.deepEqual(marked('informacoes', 'pt-br', 'Mais informações aqui'), ['informações']);
});

test('overlapping pairs of characters become one range', () => {
  assert.deepEqual(wordFinder('東京都', 'ja')('in 東京都 now'), [[3, 6]]);
});

test('a query without words finds nothing', () => {
  assert.deepEqual(wordFinder('site:example.org', '')('site example'), []);
});
