import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from '../base/mod.ts';
import { fold } from '../text/mod.ts';
import { spellingsAmong } from './spellings.ts';

const among = (words: readonly string[], folded: string) =>
  spellingsAmong((from) => words.find((word) => word >= from) ?? null, folded);

test('words that are the same but for accents are found, in few leaps', () => {
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

test('of random words those are found whose fold is the same', () => {
  const seed = Date.now() >>> 0;
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
