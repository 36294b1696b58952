import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testSeed } from '../../../test/helpers/seed.ts';
import { Random } from '../../base/mod.ts';
import { fold } from '../../text/mod.ts';
import { beginningsAmong, spellingsAmong } from './spellings.ts';

const among = (words: readonly string[], folded: string) =>
  spellingsAmong((from) => words.find((word) => word >= from) ?? null, folded);

test('words that differ only in accents are found with few seeks', () => {
  const words = [
    'ecole',
    'informacao',
    'informações',
    'informaçoes',
    'infra',
    'straße',
    'école',
    'æsir',
    'éclair',
  ].sort();
  assert.deepEqual(among(words, 'informacoes'), ['informaçoes', 'informações']);
  assert.deepEqual(among(words, 'ecole'), ['école']);
  assert.deepEqual(among(words, 'strasse'), ['straße']);
  assert.deepEqual(among(words, 'aesir'), ['æsir']);
  assert.deepEqual(among(words, 'absent'), []);
  let leaps = 0;
  spellingsAmong((from) => {
    leaps++;
    return words.find((word) => word >= from) ?? null;
  }, 'informacoes');
  assert.ok(leaps < 25, `${leaps} leaps`);
});

test('prefixes that differ only in accents are found, also on random words', () => {
  const beginnings = (words: readonly string[], folded: string) =>
    beginningsAmong((from) => words.find((word) => word >= from) ?? null, folded);
  const words = ['informacao', 'informações', 'informaçoes', 'infórmal', 'straße', 'æsir'].sort();
  assert.deepEqual(beginnings(words, 'informac'), ['informaç']);
  assert.deepEqual(beginnings(words, 'infor'), ['infór']);
  assert.deepEqual(beginnings(words, 'ae'), ['æ']);
  const seed = testSeed();
  const random = new Random(seed);
  const letters = ['a', 'à', 'ä', 'e', 'é', 'z'];
  const word = (most: number) =>
    Array.from({ length: random.between(1, most) }, () => random.pick(letters)).join('');
  for (let round = 0; round < 300; round++) {
    const known = [...new Set(Array.from({ length: 60 }, () => word(5)))].sort();
    const folded = fold(word(3));
    const begun = known
      .filter((one) => fold(one).startsWith(folded))
      .map((one) => one.slice(0, folded.length));
    const expected = [...new Set(begun)].filter((one) => one !== folded).sort();
    assert.deepEqual(
      beginnings(known, folded),
      expected.slice(0, 16),
      `seed ${seed}, round ${round}: ${folded}`,
    );
  }
});

test('the random words with the same folded form are found', () => {
  const seed = testSeed();
  const random = new Random(seed);
  const letters = ['a', 'à', 'ä', 'e', 'é', 's', 'ß', 'æ', 'z', 'ё', 'е', '東', '\u0323'];
  for (let round = 0; round < 300; round++) {
    const word = () => Array.from({ length: random.between(1, 4) }, () => random.pick(letters)).join('');
    const words = [...new Set(Array.from({ length: 60 }, word))].sort();
    const folded = fold(word());
    const expected = words.filter((one) => one !== folded && fold(one) === folded && !one.includes('\u0323'));
    assert.deepEqual(among(words, folded), expected.slice(0, 16), `seed ${seed}, round ${round}: ${folded}`);
  }
});
