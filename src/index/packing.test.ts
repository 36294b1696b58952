import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ByteWriter, Random } from '../base/mod.ts';
import { PACKED_COUNT, packBlock, unpackBlock } from './packing.ts';

test('the worked example comes out byte by byte', () => {
  const values = new Uint32Array(PACKED_COUNT).fill(1);
  values[5] = 9;
  assert.equal(packed(values).toString('hex'), `81${'ff'.repeat(16)}010504`);
});

test('whatever the numbers, they are read back, and the position after them is right', () => {
  const seed = Date.now() >>> 0;
  const random = new Random(seed);
  for (let round = 0; round < 500; round++) {
    const width = random.between(0, 32);
    const rare = random.pick([0, 0.01, 0.1]);
    const values = Uint32Array.from({ length: PACKED_COUNT }, () =>
      Math.floor(random.next() * 2 ** (random.chance(rare) ? 32 : width)),
    );
    const bytes = packed(values);
    const out = new Uint32Array(PACKED_COUNT);
    assert.equal(unpackBlock(bytes, 0, out), bytes.length, `seed ${seed}`);
    assert.deepEqual(out, values, `seed ${seed}`);
  }
});

function packed(values: Uint32Array): Buffer {
  const out = new ByteWriter();
  packBlock(values, out);
  return out.view();
}
