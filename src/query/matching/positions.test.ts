import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runStarts, standNear } from './positions.ts';

test('a run begins where consecutive positions begin', () => {
  assert.deepEqual(
    runStarts([
      [1, 5, 9],
      [2, 7, 10],
      [3, 11],
    ]),
    [1, 9],
  );
  assert.deepEqual(runStarts([[1, 5], []]), []);
  assert.deepEqual(runStarts([[4]]), [4]);
});

test('NEAR counts the words between the nearer ends, in either order', () => {
  const near = (a: number[], b: number[], distance: number, length = 1) =>
    standNear(
      [
        { starts: a, length },
        { starts: b, length: 1 },
      ],
      [distance],
    );
  assert.equal(near([1], [2], 1), true);
  assert.equal(near([2], [1], 1), true);
  assert.equal(near([1], [3], 1), false);
  assert.equal(near([1, 20], [10, 23], 3), true);
  assert.equal(near([1], [4], 1, 3), true);
  assert.equal(near([1], [5], 1, 3), false);
  assert.equal(near([1], [2], 3, 3), false, 'they share a word');
  assert.equal(near([7], [7], 5), false, 'a word is not near itself');
});

test('a chain of NEAR uses the same occurrence', () => {
  const phrases = (b: number[]) => [1, b, 20].map((starts) => ({ starts: [starts].flat(), length: 1 }));
  assert.equal(standNear(phrases([3, 18]), [3, 3]), false);
  assert.equal(standNear(phrases([3, 18]), [3, 17]), true);
});
