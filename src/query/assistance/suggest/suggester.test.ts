import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testSeed } from '../../../../test/helpers/seed.ts';
import { Random } from '../../../base/mod.ts';
import { keyOf, PhraseTable } from '../../../lexicon/mod.ts';
import type { Phrase } from '../../../lexicon/phrases-format.ts';
import { encodePhrases } from '../../../lexicon/phrases-writer.ts';
import { Suggester } from './suggester.ts';

function tableOf(phrases: readonly Phrase[]): PhraseTable {
  const byKey = new Map(phrases.map((phrase) => [keyOf(phrase.text), phrase]));
  return new PhraseTable(encodePhrases({ generation: 1, docs: 1 }, byKey));
}

function phrase(text: string, weight: number, url = ''): Phrase {
  return { text, weight, url };
}

const SUGGESTER = new Suggester(
  tableOf([
    phrase('HTTP client', 3, 'https://a.example/'),
    phrase('HTTPS', 5),
    phrase('http server', 4),
    phrase('Café au lait', 1),
    phrase('Express middleware', 2),
  ]),
);

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
  assert.deepEqual(new Suggester(tableOf(titles)).suggest('rou', 5), [
    { text: 'Routing', url: 'https://a.example/r' },
  ]);
});

test('the heaviest of several spellings that differ only in spaces and signs is suggested', () => {
  const spellings = [phrase('HTTP2', 2), phrase('HTTP/2', 3, 'https://a.example/')];
  const suggester = new Suggester(tableOf([...spellings, phrase('HTTP 3', 1)]));
  assert.deepEqual(
    suggester.suggest('http', 5).map(({ text }) => text),
    ['HTTP/2', 'HTTP 3'],
  );
});

test('an empty input has no suggestions', () => {
  assert.deepEqual(texts(' ?'), []);
  assert.deepEqual(new Suggester(tableOf([])).suggest('a', 5), []);
});

const isSameButForSpaces = (a: string, b: string) => a.replace(' ', '') === b.replace(' ', '');

test('the best phrases of a range equal those of a full scan', () => {
  const seed = testSeed();
  const random = new Random(seed);
  const word = () => Array.from({ length: random.between(2, 5) }, () => random.pick([...'abc'])).join('');
  const phrases = new Map(
    Array.from({ length: 2000 }, () => [`${word()} ${word()}`, random.next()] as const),
  );
  const suggester = new Suggester(
    tableOf([...phrases].map(([text, weight]) => phrase(text, Math.fround(weight)))),
  );
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
