import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testSeed } from '../../../test/helpers/seed.ts';
import { Random } from '../../base/mod.ts';
import { afterAllWith, nearWords } from './near-words.ts';

test('finds what a look at every word finds, with and without a fixed prefix', () => {
  const seed = testSeed();
  const random = new Random(seed);
  const words = randomWords(random, 3000);
  for (let round = 0; round < 200; round++) {
    const word = random.pick(words) + random.pick(['', 'a', 'é']);
    const maxDistance = random.below(3);
    const prefix = word.slice(0, random.below(3));
    const expected = words.filter(
      (other) => other.startsWith(prefix) && distance(word, other) <= maxDistance,
    );
    const found = nearWords(walkOf(words), (entry) => entry, word, maxDistance, prefix);
    const where = `seed ${seed}: ${word} ${maxDistance} ${prefix}`;
    assert.deepEqual(found.map(({ entry }) => entry).sort(), expected, where);
    for (const near of found) assert.equal(near.distance, distance(word, near.entry), where);
  }
});

test('neighbours that changed places are one apart', () => {
  const words = ['form', 'from', 'frame'];
  assert.deepEqual(
    nearWords(walkOf(words), (entry) => entry, 'form', 1),
    [
      { entry: 'form', distance: 0 },
      { entry: 'from', distance: 1 },
    ],
  );
});

test('only a part of a large dictionary is walked', () => {
  const random = new Random(3);
  const words = randomWords(random, 60_000);
  let walked = 0;
  const counting = function* (from: string) {
    for (const word of walkOf(words)(from)) {
      walked++;
      yield word;
    }
  };
  nearWords(counting, (entry) => entry, words[30_000]!, 1, '');
  assert.ok(walked < words.length / 4, `${walked} of ${words.length}`);
});

test('what comes after all words with a prefix', () => {
  assert.equal(afterAllWith('ab'), 'ac');
  assert.equal(afterAllWith('a\uffff'), 'b');
  assert.equal(afterAllWith('\uffff'), null);
});

function walkOf(words: readonly string[]): (from: string) => Generator<string> {
  return function* (from) {
    let low = 0;
    for (let high = words.length; low < high; ) {
      const middle = (low + high) >>> 1;
      if (words[middle]! < from) low = middle + 1;
      else high = middle;
    }
    for (; low < words.length; low++) yield words[low]!;
  };
}

function randomWords(random: Random, count: number): string[] {
  const words = new Set<string>();
  while (words.size < count) {
    words.add(
      Array.from({ length: random.between(1, 9) }, () => random.pick(['a', 'b', 'c', 'é', '東'])).join(''),
    );
  }
  return [...words].sort();
}

/** Computes the edit distance by its definition. */
function distance(a: string, b: string): number {
  const known = new Map<number, number>();
  const between = (i: number, j: number): number => {
    if (i === 0 || j === 0) return i + j;
    const key = i * 1000 + j;
    if (known.has(key)) return known.get(key)!;
    let least = Math.min(between(i - 1, j) + 1, between(i, j - 1) + 1);
    least = Math.min(least, between(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1));
    if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
      least = Math.min(least, between(i - 2, j - 2) + 1);
    }
    known.set(key, least);
    return least;
  };
  return between(a.length, b.length);
}
