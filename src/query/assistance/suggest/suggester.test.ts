import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testSeed } from '../../../../test/helpers/seed.ts';
import { Random } from '../../../base/mod.ts';
import { phraseTableOf } from '../../../lexicon/lexicon.fixture.ts';
import { phraseWeight } from '../../../lexicon/mod.ts';
import { Suggester } from './suggester.ts';

function phrase(text: string, popularity: number, url = '') {
  return { text, popularity, url };
}

const SUGGESTER = new Suggester([
  phraseTableOf([
    phrase('HTTP client', 3, 'https://a.example/'),
    phrase('HTTPS', 5),
    phrase('http server', 4),
    phrase('Café au lait', 1),
    phrase('Express middleware', 2),
  ]),
]);

const texts = (typed: string, limit = 5) => SUGGESTER.suggest(typed, limit).map(({ text }) => text);

test('phrases with the prefix are ordered by weight, with the URL of a title', () => {
  assert.deepEqual(SUGGESTER.suggest('htt', 5), [
    { text: 'HTTPS' },
    { text: 'http server' },
    { text: 'HTTP client', url: 'https://a.example/' },
  ]);
  assert.deepEqual(texts('htt', 2), ['HTTPS', 'http server']);
});

test('a space ends a word; case and accents are ignored', () => {
  assert.deepEqual(texts('Http '), ['http server', 'HTTP client']);
  assert.deepEqual(texts('CAFÉ'), ['Café au lait']);
});

test('one error after the first letter is tolerated: wrong, missing, extra or swapped letter', () => {
  for (const typed of ['exptess m', 'exress m', 'expreess m', 'epxress m']) {
    assert.deepEqual(texts(typed), ['Express middleware'], typed);
  }
  assert.deepEqual(texts('wxpress m'), []);
  assert.deepEqual(texts('exx'), [], 'too short to tell');
});

test('exact prefixes come before those with an error', () => {
  assert.deepEqual(texts('https'), ['HTTPS', 'http server']);
});

test('a page is suggested once, by its heavier title', () => {
  const titles = [
    phrase('Routing', 2, 'https://a.example/r'),
    phrase('Routing | Express', 1, 'https://a.example/r'),
  ];
  assert.deepEqual(new Suggester([phraseTableOf(titles)]).suggest('rou', 5), [
    { text: 'Routing', url: 'https://a.example/r' },
  ]);
});

test('the heaviest of several spellings that differ only in spaces and signs is suggested', () => {
  const spellings = [phrase('HTTP2', 2), phrase('HTTP/2', 3, 'https://a.example/')];
  const suggester = new Suggester([phraseTableOf([...spellings, phrase('HTTP 3', 1)])]);
  assert.deepEqual(
    suggester.suggest('http', 5).map(({ text }) => text),
    ['HTTP/2', 'HTTP 3'],
  );
});

test('a phrase of several segments weighs their sum, and has a URL if it is the title of one page in all', () => {
  const first = phraseTableOf([
    phrase('Routing', 3, 'https://a.example/1'),
    phrase('Routes', 4, 'https://a.example/2'),
  ]);
  const second = phraseTableOf([phrase('Routing', 3, 'https://a.example/3'), phrase('Routers', 1)]);
  const linked = phraseTableOf([phrase('routes', 1)]);
  assert.deepEqual(new Suggester([first, second, linked]).suggest('rout', 5), [
    { text: 'Routing' },
    { text: 'Routes', url: 'https://a.example/2' },
    { text: 'Routers' },
  ]);
});

test('an empty input has no suggestions', () => {
  assert.deepEqual(texts(' ?'), []);
  assert.deepEqual(new Suggester([phraseTableOf([])]).suggest('a', 5), []);
  assert.deepEqual(new Suggester([]).suggest('a', 5), []);
});

const isSameButForSpaces = (a: string, b: string) => a.replace(' ', '') === b.replace(' ', '');

test('the best phrases of a range equal those of a full scan', () => {
  const seed = testSeed();
  const random = new Random(seed);
  const word = () => Array.from({ length: random.between(2, 5) }, () => random.pick([...'abc'])).join('');
  const popularity = new Map(
    Array.from({ length: 2000 }, () => [`${word()} ${word()}`, Math.fround(random.next())] as const),
  );
  const table = phraseTableOf([...popularity].map(([text, value]) => phrase(text, value)));
  const suggester = new Suggester([table]);
  const phrases = Array.from(popularity, ([text, value]): [string, number] => [
    text,
    Math.fround(phraseWeight(value, text.length)),
  ]);
  for (const typed of ['a', 'ab', 'b', 'ca ', 'abc']) {
    const expected = [...phrases]
      .filter(([text]) => text.startsWith(typed))
      .sort(([, a], [, b]) => b - a)
      .filter(([text], at, all) => at === all.findIndex(([other]) => isSameButForSpaces(text, other)))
      .slice(0, 7);
    const found = suggester.suggest(typed, 7).map(({ text }) => text);
    assert.deepEqual(
      found,
      expected.map(([text]) => text),
      `typed ${typed}, seed ${seed}`,
    );
  }
});

test('a title is suggested if its site or its other words are typed before its first word', () => {
  const tables = [
    phraseTableOf([
      phrase('Match Window', 2, 'https://topcat.example.org/match'),
      phrase('Match report', 5, 'https://other.example.org/match'),
      phrase('Mapping the tides', 3, 'https://a.example/tides'),
    ]),
  ];
  const suggested = (typed: string) => new Suggester(tables).suggest(typed, 5).map(({ text }) => text);
  assert.deepEqual(suggested('topcat m'), ['Match Window']);
  assert.deepEqual(suggested('tides m'), ['Mapping the tides']);
  assert.deepEqual(suggested('birds m'), []);
});

test('errors are not considered if the text is known to be right, and not in a short word before a space', () => {
  assert.deepEqual(SUGGESTER.suggest('exptess m', 5, false), []);
  assert.deepEqual(texts('htx '), []);
});
