import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testSeed } from '../../../test/helpers/seed.ts';
import { Random } from '../../base/mod.ts';
import { placesByDoc, placesByScore } from './ordering.ts';

test('both orders equal a plain sort, also for equal scores', () => {
  const seed = testSeed();
  const random = new Random(seed);
  for (let round = 0; round < 300; round++) {
    const docs = Array.from({ length: random.below(60) }, (_, at) => ({ doc: at * 3 })).sort(() =>
      random.chance(0.5) ? 1 : -1,
    );
    const chosen = [...docs.keys()].filter(() => random.chance(0.7));
    assert.deepEqual(
      [...placesByDoc(docs, chosen)],
      chosen.toSorted((a, b) => docs[a]!.doc - docs[b]!.doc),
      `seed ${seed}`,
    );
    const scores = Float64Array.from(docs, () => random.below(10) / 3 - 1);
    const compare = (a: number, b: number) => docs[b]!.doc - docs[a]!.doc;
    assert.deepEqual(
      [...placesByScore(scores, compare)],
      [...docs.keys()].sort((a, b) => scores[b]! - scores[a]! || compare(a, b)),
      `seed ${seed}`,
    );
  }
});

test('documents with large numbers are ordered too', () => {
  assert.deepEqual([...placesByDoc([{ doc: 2 ** 32 - 1 }, { doc: 2 ** 32 - 2 }], [0, 1])], [1, 0]);
});
