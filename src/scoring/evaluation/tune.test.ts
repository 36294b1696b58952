import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testSeed } from '../../../test/helpers/seed.ts';
import { Random } from '../../base/mod.ts';
import { fit, type TuningQuery, tune } from './tune.ts';

const OPTIONS = { fixed: 0, close: 1000, folds: 4 };

/**
 * Makes twenty queries with candidates. Relevant documents have high values of the second feature. The third
 * feature is noise.
 */
function queries(random: Random): TuningQuery[] {
  return Array.from({ length: 20 }, () => {
    const candidates = Array.from({ length: 40 }, (_, at) => ({
      doc: `d${at}`,
      features: [random.next(), random.next(), random.next(), 1],
    }));
    const best = candidates.toSorted((a, b) => b.features[1]! - a.features[1]!).slice(0, 5);
    return { judged: new Map(best.map(({ doc }) => [doc, 1])), candidates };
  });
}

test('a feature that predicts relevance gains weight and helps held-out queries', () => {
  const { weights, held, before, after } = tune(queries(new Random(1)), [1, 0.1, 0.5, 0.3], OPTIONS);
  assert.equal(weights[0], 1, 'the unit stays');
  assert.equal(weights[3], 0.3, 'a feature that never differs stays');
  assert.ok(weights[1]! > 0.5 && weights[2]! < 0.5, `${weights}`);
  assert.ok(after > before + 0.1 && held.difference > 0.1 && held.p < 0.01, JSON.stringify(held));
});

test('fitted weights are never worse on the fitted queries', () => {
  const seed = testSeed();
  const random = new Random(seed);
  for (let round = 0; round < 5; round++) {
    const start = [1, random.next(), random.next(), random.next()];
    const { before, after } = tune(queries(random), start, OPTIONS);
    assert.ok(after >= before, `seed ${seed}`);
  }
});

test('overfitted weights are reported as worse', () => {
  const random = new Random(1);
  // The weights that help one half of the queries hurt the other half. Each fold is evaluated on queries to
  // which it was not fitted, so fitting does not help.
  const contrary = queries(random).map(({ candidates }, at) => {
    const sign = at % 2 === 0 ? 1 : -1;
    const best = candidates.toSorted((a, b) => sign * (b.features[1]! - a.features[1]!)).slice(0, 5);
    return { judged: new Map(best.map(({ doc }) => [doc, 1])), candidates };
  });
  const { held, isWorse } = tune(contrary, [1, 0.3, 0, 0], { ...OPTIONS, folds: 2 });
  assert.ok(held.difference < 0 && isWorse, JSON.stringify(held));
  assert.equal(tune(queries(random), [1, 0.1, 0.5, 0.3], OPTIONS).isWorse, false);
});

test('a document outside the close candidates stays after them', () => {
  const candidates = [
    { doc: 'a', features: [0.1, 0] },
    { doc: 'b', features: [0.2, 1] },
  ];
  const query = { judged: new Map([['b', 1]]), candidates };
  // Document b is second with any weight of the second feature, so changing the weight gains nothing.
  assert.deepEqual(fit([query], [1, 0.5], { ...OPTIONS, close: 1 }), [1, 0.5]);
  assert.deepEqual(fit([query], [1, 0], { ...OPTIONS, close: 2 }), [1, 0]);
});
