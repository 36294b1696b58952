import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testSeed } from '../../../test/helpers/seed.ts';
import { Random } from '../../base/mod.ts';
import { ENCODER_BYTES, EncodeKernel } from '../kernels/encode-kernel.ts';
import { PACKED_COUNT, unpackBlock } from './packing.ts';

const VALUES_AT = 65536 + 8 * Math.ceil(ENCODER_BYTES / 8);
const PACKED_AT = VALUES_AT + 4 * PACKED_COUNT;
const memory = new WebAssembly.Memory({ initial: 8, maximum: 8 });
/** The encoding kernel exports `pack` only for this test; in production, other kernel functions call it. */
const { pack } = new EncodeKernel(memory, 65536).calls as unknown as {
  pack(values: number, to: number, mayCount: number): number;
};

test('the worked examples are encoded byte by byte', () => {
  const values = new Uint32Array(PACKED_COUNT).fill(1);
  values[5] = 9;
  assert.equal(packed(values, false).toString('hex'), `81${'ff'.repeat(16)}010504`);
  const bytes = Buffer.from(`41${'ff'.repeat(16)}02e001`, 'hex');
  const out = new Uint32Array(PACKED_COUNT);
  assert.equal(unpackBlock(bytes, 0, out), bytes.length);
  assert.deepEqual(out, values);
});

test('any numbers are read back, with the right position after them', () => {
  const seed = testSeed();
  const random = new Random(seed);
  for (let round = 0; round < 500; round++) {
    const width = random.between(0, 32);
    const rare = random.pick([0, 0.01, 0.1]);
    const values = Uint32Array.from({ length: PACKED_COUNT }, () =>
      Math.floor(random.next() * 2 ** (random.chance(rare) ? 32 : width)),
    );
    for (const mayCount of [false, true]) {
      const bytes = packed(values, mayCount);
      const out = new Uint32Array(PACKED_COUNT);
      assert.equal(unpackBlock(bytes, 0, out), bytes.length, `seed ${seed}`);
      assert.deepEqual(out, values, `seed ${seed}`);
    }
  }
});

test('numbers distributed like gaps take fewer bytes with Rice codes', () => {
  const seed = testSeed();
  const random = new Random(seed);
  const values = Uint32Array.from({ length: PACKED_COUNT }, () => -Math.log(1 - random.next()) * 100);
  const counted = packed(values, true);
  assert.equal(counted[0]! & 0xc0, 0x40, `seed ${seed}`);
  assert.ok(counted.length < packed(values, false).length, `seed ${seed}`);
});

function packed(values: Uint32Array, mayCount: boolean): Buffer {
  new Uint32Array(memory.buffer, VALUES_AT, PACKED_COUNT).set(values);
  const end = pack(VALUES_AT, PACKED_AT, mayCount ? 1 : 0);
  return Buffer.from(memory.buffer.slice(PACKED_AT, end));
}
