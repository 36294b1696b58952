import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testSeed } from '../../test/helpers/seed.ts';
import { Random } from '../base/mod.ts';
import { eachHashedWord, hashOfWord } from './hashed-words.ts';

const PIECES = ['a', 'b', 'z9', 'é', 'e\u0301', 'ж', '東', '京', '𝒳', '😀', ' ', '\n', '-', '.', '“', "'"];

test('words are the same as those of a regular expression, and equal words have equal hashes', () => {
  const seed = testSeed();
  const random = new Random(seed);
  const words = new Map<number, string>();
  for (let round = 0; round < 500; round++) {
    const text = Array.from({ length: random.below(40) }, () => random.pick(PIECES)).join('');
    const found: string[] = [];
    eachHashedWord(text, (hash, start, end) => {
      const word = text.slice(start, end);
      found.push(word);
      assert.equal(words.get(hash) ?? word, word, `seed ${seed}: two words have the hash ${hash}`);
      words.set(hash, word);
      assert.equal(hashOfWord(word), hash);
    });
    assert.deepEqual(found, text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [], `seed ${seed}`);
  }
});
