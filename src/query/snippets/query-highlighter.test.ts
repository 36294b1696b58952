import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testSeed } from '../../../test/helpers/seed.ts';
import { Random } from '../../base/mod.ts';
import { tokenize } from '../../text/mod.ts';
import { type Hit, pageHighlighter, QueryHighlighter } from './query-highlighter.ts';

const PARTS = [
  ...[
    'needle',
    'Needle',
    'NEEDLES',
    'c',
    'c++',
    'C#',
    '.net',
    '.NET',
    'net',
    'asp',
    'don',
    "don't",
    'don’t',
    "needle's",
  ],
  ...[
    'café',
    'CAFÉ',
    'cafe',
    'naïve',
    '東京都',
    '東京',
    '𠮷野',
    '🙂',
    'x1',
    'node',
    'js',
    'l’été',
    'soft\u00adhyphen',
  ],
  ...[
    ' ',
    ' ',
    ' ',
    '\n',
    '. ',
    '.',
    ', ',
    '(',
    ')',
    "'",
    '“',
    '”',
    '+',
    '#',
    '-',
    '_',
    '/',
    '…',
    '\u00a0',
    '\u0301',
  ],
  'w'.repeat(70),
];
const FORMS = new Map(
  [
    'needle',
    'needles',
    'c',
    'c++',
    'c#',
    '.net',
    'net',
    "don't",
    'don',
    'café',
    'cafe',
    '東京',
    '京都',
    'x1',
    'js',
  ].map((form, word) => [form, word]),
).set('w'.repeat(64), 99);

test('hits are the tokens that are forms of the query, for any text', () => {
  const seed = testSeed();
  const random = new Random(seed);
  const finder = new QueryHighlighter(FORMS);
  for (let round = 0; round < 3000; round++) {
    const text = Array.from({ length: random.below(14) }, () => random.pick(PARTS)).join('');
    const expected: Hit[] = [];
    tokenize(text, (form, start, end) => {
      const word = FORMS.get(form);
      if (word !== undefined) expected.push({ word, form, start, end });
    });
    const hits: Hit[] = [];
    finder.find(text, 0, text.length, hits);
    assert.deepEqual(hits, expected, `seed ${seed}: ${JSON.stringify(text)}`);
  }
});

test('only the requested range is searched', () => {
  const hits: Hit[] = [];
  new QueryHighlighter(FORMS).find('needle needle needle', 6, 13, hits);
  assert.deepEqual(hits, [{ word: 0, form: 'needle', start: 7, end: 13 }]);
});

test('words are highlighted by the rules of the index, and excluded words are not', () => {
  const text = 'Café au lait, and a cafe.';
  assert.deepEqual(
    pageHighlighter('cafe -lait', 'en')(text).map(([start, end]) => text.slice(start, end)),
    ['Café', 'cafe'],
  );
});

test('words are highlighted by the language of the text, with or without accents', () => {
  const marked = (query: string, language: string, text: string) =>
    pageHighlighter(query, language)(text).map(([start, end]) => text.slice(start, end));
  assert.deepEqual(marked('Haus', 'de', 'Die Häuser am Hang'), ['Häuser']);
  assert.deepEqual(marked('care', 'en', 'cars and caring'), ['caring']);
  assert.deepEqual(marked('care', 'nl', 'cars and care'), ['cars', 'care']);
  assert.deepEqual(marked('informacoes', 'pt-br', 'Mais informações aqui'), ['informações']);
});

test('overlapping pairs of characters become one range', () => {
  assert.deepEqual(pageHighlighter('東京都', 'ja')('in 東京都 now'), [[3, 6]]);
});

test('a query without words finds nothing', () => {
  assert.deepEqual(pageHighlighter('site:example.org', '')('site example'), []);
});
