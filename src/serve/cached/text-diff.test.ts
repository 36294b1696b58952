import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testSeed } from '../../../test/helpers/seed.ts';
import { Random } from '../../base/mod.ts';
import { differences } from './text-diff.ts';

function signs(older: string, newer: string, maxCells?: number): string {
  return differences([...older], [...newer], maxCells)
    .map(({ kind, items }) => ({ kept: ' ', removed: '-', added: '+' })[kind] + items.join(''))
    .join('|');
}

test('common items stay, and the others are removed or added', () => {
  assert.equal(signs('abc', 'abc'), ' abc');
  assert.equal(signs('abcd', 'axcd'), ' a|-b|+x| cd');
  assert.equal(signs('', 'ab'), '+ab');
  assert.equal(signs('ab', ''), '-ab');
  assert.equal(signs('', ''), '');
});

test('if the table would be too large, everything between the common ends is replaced', () => {
  assert.equal(signs('a12345z', 'a54321z', 4), ' a|-12345|+54321| z');
});

test('both lists can be restored from the difference, and the difference is minimal', () => {
  const seed = testSeed();
  const random = new Random(seed);
  const list = () =>
    Array.from({ length: Math.floor(random.next() * 12) }, () => Math.floor(random.next() * 4));
  for (let round = 0; round < 500; round++) {
    const [older, newer] = [list(), list()];
    const found = differences(older, newer);
    const side = (left: string) => found.filter(({ kind }) => kind !== left).flatMap(({ items }) => items);
    assert.deepEqual(side('added'), older, `seed ${seed}`);
    assert.deepEqual(side('removed'), newer, `seed ${seed}`);
    const kept = found.flatMap(({ kind, items }) => (kind === 'kept' ? items : []));
    assert.equal(kept.length, naiveCommon(older, newer), `seed ${seed}`);
  }
});

function naiveCommon(a: readonly number[], b: readonly number[]): number {
  let row = new Array<number>(b.length + 1).fill(0);
  for (const item of a) {
    const next = [0];
    for (const [at, other] of b.entries()) {
      next.push(item === other ? row[at]! + 1 : Math.max(row[at + 1]!, next[at]!));
    }
    row = next;
  }
  return row.at(-1)!;
}
