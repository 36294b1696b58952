import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testSeed } from '../../test/helpers/seed.ts';
import { Random } from '../base/mod.ts';
import { inverseDocumentFrequency, termScore } from './bm25.ts';
import { close } from './evidence.fixture.ts';
import { DEFAULT_PROFILE } from './profiles.ts';
import { heaviestPassage, longestRun, pairCount, runLengths } from './proximity.ts';
import { staticScore } from './score.ts';

const profile = { ...DEFAULT_PROFILE, k1: 1.2, b: 0.75, staticWeight: 0.3, staticLimit: 2.4 };

test('BM25 gives the values of the formula', () => {
  close(inverseDocumentFrequency(100, 10), Math.log(1 + 90.5 / 10.5));
  // The word occurs once in plain text of a document of mean length: tf (k1 + 1) / (tf + k1) = 2.2 / 2.2.
  close(termScore(profile, 3, 4, 1), 3);
  // The word occurs twice in a document of twice the mean length: 2 * 2.2 / (2 + 1.2 * 1.75).
  close(termScore(profile, 3, 8, 2), (3 * 4.4) / 4.1);
});

test('the IDF of a word is positive and grows with its rarity', () => {
  let last = Number.POSITIVE_INFINITY;
  for (let frequency = 1; frequency <= 100; frequency++) {
    const idf = inverseDocumentFrequency(100, frequency);
    assert.ok(idf > 0 && idf < last, `${frequency} documents`);
    last = idf;
  }
});

test('further occurrences add less and less, and length lowers the score', () => {
  const score = (frequency: number, length: number) => termScore(profile, 1, frequency, length);
  assert.ok(score(8, 1) - score(4, 1) > score(12, 1) - score(8, 1));
  assert.ok(score(400_000, 1) <= 2.2);
  assert.ok(score(4, 0.5) > score(4, 1) && score(4, 1) > score(4, 2));
});

test('the static score grows slowly up to a limit, and is 0 for an unknown page', () => {
  assert.equal(staticScore(profile, 0, false, 0), 0);
  close(staticScore(profile, 1, false, 0), 0.3);
  close(staticScore(profile, 7, false, 0), 0.9);
  assert.equal(staticScore(profile, 1e9, false, 0), profile.staticLimit);
  close(staticScore(profile, 1, true, 0), 0.3 + 1.5);
  close(staticScore(profile, 1, true, 2), 0.3 + 0.5);
});

test('the smallest window and the longest run equal those of an exhaustive search', () => {
  const seed = testSeed();
  const random = new Random(seed);
  for (let round = 0; round < 300; round++) {
    const owners = Array.from({ length: random.between(1, 30) }, () => random.below(5));
    const lists = Array.from({ length: random.between(1, 4) }, (_, list) =>
      owners.flatMap((owner, position) => (owner === list ? [position] : [])),
    );
    const where = `seed ${seed}: ${JSON.stringify(lists)}`;
    assert.equal(heaviestPassage(lists, WEIGHTS, 6), naivePassage(lists, 6), where);
    assert.equal(longestRun(lists), naiveRun(lists), where);
    assert.equal(Math.max(0, ...runLengths(lists)), naiveRun(lists), where);
    const [first = [], second = []] = lists;
    for (const distance of [1, 2, 3]) {
      const pairs = first.filter((position) => second.includes(position + distance));
      assert.equal(pairCount(first, second, distance), pairs.length, where);
    }
  }
  assert.equal(heaviestPassage([], [], 6), 0);
  assert.equal(longestRun([]), 0);
});

/**
 * Weights for lists of positions: powers of two, so that each set of lists has a different sum, and sums are
 * exact.
 */
const WEIGHTS = [1, 2, 4, 8, 16, 32];

function naivePassage(lists: readonly number[][], length: number): number {
  const weightFrom = (start: number) =>
    lists.reduce((sum, list, at) => {
      const isInside = list.some((position) => position >= start && position < start + length);
      return isInside ? sum + WEIGHTS[at]! : sum;
    }, 0);
  return Math.max(0, ...lists.flat().map(weightFrom));
}

function naiveRun(lists: readonly number[][]): number {
  let longest = 0;
  for (const [first, list] of lists.entries()) {
    for (const position of list) {
      let run = 1;
      while (lists[first + run]?.includes(position + run)) run++;
      longest = Math.max(longest, run);
    }
  }
  return longest;
}
