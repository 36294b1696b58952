import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testSeed } from '../../../test/helpers/seed.ts';
import { Random } from '../../base/mod.ts';
import { VectorKernel } from './vector-kernel.ts';

const BYTES = 128;
const STEP = 6;
/** The minimum number of vectors that are compared exactly, after their one-bit codes were compared. */
const MIN_CLOSE = 2000;

/** Returns random vectors with numbers from -7 to 7, and a query in the direction of the first vector. */
function randomVectors(random: Random, count: number): { vectors: Uint8Array; query: Int8Array } {
  const level = () => random.between(-7, 7) & 15;
  const vectors = Uint8Array.from({ length: count * BYTES }, () => level() | (level() << 4));
  const signed = (half: number) => (half << 28) >> 28;
  const query = Int8Array.from({ length: 2 * BYTES }, (_, i) => {
    const byte = vectors[(i >> 5) * 16 + (i & 15)]!;
    return STEP * signed(i & 16 ? byte >> 4 : byte);
  });
  return { vectors, query };
}

test('with codes, the closest vectors have their dot products and the others 0', () => {
  const seed = testSeed();
  const { vectors, query } = randomVectors(new Random(seed), 5000);
  const exact = Int32Array.from(new VectorKernel(vectors, BYTES, STEP).compare(query));
  const kernel = new VectorKernel(vectors, BYTES, STEP, 0);
  const close = kernel.compareClosest(query);
  const compared = close.reduce((sum, product) => sum + (product === 0 ? 0 : 1), 0);
  assert.ok(compared >= MIN_CLOSE - 50 && compared < 3500, `${compared} compared, seed ${seed}`);
  for (const [doc, product] of close.entries())
    assert.ok(product === 0 || product === exact[doc], `${doc}, seed ${seed}`);
  const best = [...exact.keys()].sort((a, b) => exact[b]! - exact[a]!).slice(0, 50);
  assert.equal(best[0], 0);
  const kept = best.filter((doc) => close[doc] === exact[doc]).length;
  assert.ok(kept >= 45, `${kept} of 50, seed ${seed}`);
  assert.deepEqual(kernel.compare(query), exact);
});

test('without codes, all vectors are compared', () => {
  const { vectors, query } = randomVectors(new Random(testSeed()), 100);
  const kernel = new VectorKernel(vectors, BYTES, STEP);
  const closest = Int32Array.from(kernel.compareClosest(query));
  assert.deepEqual(closest, kernel.compare(query));
});
