import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testSeed } from '../../../test/helpers/seed.ts';
import { Random } from '../../base/mod.ts';
import { Arena, type HeldBytes, releaseBytes } from './arena.ts';

const seed = testSeed();

test(`a piece keeps its bytes until it is released (seed ${seed})`, () => {
  const random = new Random(seed);
  const arena = new Arena();
  const held: { line: string; where: HeldBytes }[] = [];
  for (let round = 0; round < 2000; round++) {
    const length = random.below(random.below(100) === 0 ? 600_000 : 30_000);
    const line =
      String.fromCharCode(97 + random.below(26)).repeat(length) + (random.chance(0.3) ? 'ä語😀' : '');
    const where = random.chance(0.5) ? arena.hold(line) : arena.hold(Buffer.from(line));
    held.push({ line, where });
    while (held.length > random.below(60)) {
      const [{ line: expected, where }] = held.splice(random.below(held.length), 1) as [(typeof held)[0]];
      assert.ok(Buffer.from(expected).equals(where), `round ${round}`);
      releaseBytes(where);
    }
  }
});

test('released memory is reused, also for large pieces', () => {
  for (const length of [50_000, 3_000_000]) {
    const arena = new Arena();
    const buffers = new Set<ArrayBufferLike>();
    for (let round = 0; round < 50; round++) {
      const line = arena.hold('x'.repeat(length));
      buffers.add(line.buffer);
      releaseBytes(line);
    }
    assert.equal(buffers.size, 1, `${buffers.size} chunks for one line of ${length} bytes at a time`);
  }
});
