import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from '../base/mod.ts';
import { findFingerprint, sortedByFingerprint } from './fingerprint-order.ts';

test('fingerprints are sorted as unsigned numbers and found again', () => {
  const random = new Random(11);
  for (const count of [0, 1, 2, 500]) {
    const lows = Uint32Array.from({ length: count }, () => random.below(4) * 0x3fffffff + random.below(3));
    const highs = Uint32Array.from({ length: count }, () => random.below(2 ** 32));
    const bits = Array.from(lows, (low, at) => (BigInt(highs[at]!) << 32n) | BigInt(low));
    const order = sortedByFingerprint(lows, highs);
    const sorted = bits.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
    assert.deepEqual(
      Array.from(order, (at) => bits[at]),
      sorted,
    );
    const halves = Uint32Array.from([...order].flatMap((at) => [lows[at]!, highs[at]!]));
    sorted.forEach((each, place) => {
      assert.equal(findFingerprint(halves, BigInt.asIntN(64, each)), place);
    });
    assert.equal(findFingerprint(halves, 5n), -1);
  }
});
