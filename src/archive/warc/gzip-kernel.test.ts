import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { testSeed } from '../../../test/helpers/seed.ts';
import { Random } from '../../base/mod.ts';
import { gzipMember } from './gzip-kernel.ts';

const seed = testSeed();

function roundTrip(bytes: Uint8Array, what: string): number {
  const member = gzipMember(bytes);
  assert.ok(gunzipSync(member).equals(bytes), `${what} of ${bytes.length} bytes came back changed`);
  return member.length;
}

test('short inputs of every length are restored', () => {
  for (let length = 0; length < 600; length++) {
    roundTrip(Buffer.alloc(length, 'a'), 'one letter');
    roundTrip(Buffer.from(Array.from({ length }, (_, i) => (i * 7) % 256)), 'every byte');
  }
});

test(`random bytes, words and repetitions are restored (seed ${seed})`, () => {
  const random = new Random(seed);
  for (let round = 0; round < 300; round++) {
    const letters = random.below(255) + 1;
    const pieces: Buffer[] = [];
    for (let piece = random.below(40); piece >= 0; piece--) {
      const length = random.below(random.below(2) === 0 ? 40 : 4000);
      const copied = pieces.length > 0 && random.below(2) === 0;
      pieces.push(
        copied
          ? pieces[random.below(pieces.length)]!
          : Buffer.from(Array.from({ length }, () => random.below(letters))),
      );
    }
    roundTrip(Buffer.concat(pieces), `round ${round}`);
  }
});

test('code lengths are limited for letters with Fibonacci frequencies', () => {
  const pieces: Buffer[] = [];
  for (let letter = 0, [a, b] = [1, 1]; letter < 22; letter++, [a, b] = [b, a + b]) {
    pieces.push(Buffer.alloc(a, letter));
  }
  const sorted = Buffer.concat(pieces);
  // The input is shuffled, so that the compressor finds no matches.
  const shuffled = Buffer.from(sorted);
  const random = new Random(1);
  for (let at = shuffled.length - 1; at > 0; at--) {
    const other = random.below(at + 1);
    [shuffled[at], shuffled[other]] = [shuffled[other]!, shuffled[at]!];
  }
  roundTrip(shuffled, 'Fibonacci');
});

test('a match at the maximum distance is found, and one beyond it is not', () => {
  const needle = Buffer.from('nowhere else is this said in these very words');
  const random = new Random(2);
  const noise = (length: number) => Buffer.from(Array.from({ length }, () => random.below(256)));
  for (const distance of [32767, 32768, 32769, 40000]) {
    roundTrip(Buffer.concat([needle, noise(distance - needle.length), needle]), `distance ${distance}`);
  }
});

test('records of many blocks and records larger than the kernel memory are restored', () => {
  const random = new Random(3);
  for (const length of [100_000, 1024 * 1024, 1024 * 1024 + 1]) {
    roundTrip(Buffer.from(Array.from({ length }, () => random.below(256))), 'noise');
    roundTrip(Buffer.alloc(length, 'abcdefgh'), 'repetition');
  }
});

test('data of an earlier record is never matched in the next record', () => {
  const record = Buffer.from('the same bytes twice in a row, in two members '.repeat(3));
  const once = roundTrip(record, 'first');
  for (let i = 0; i < 1000; i++) assert.equal(roundTrip(record, 'again'), once);
});

test('compressed text is about as small as with zlib level 1', () => {
  const random = new Random(4);
  const words = Array.from({ length: 2000 }, () =>
    String.fromCharCode(...Array.from({ length: 2 + random.below(8) }, () => 97 + random.below(26))),
  );
  const text = Buffer.from(
    Array.from({ length: 8000 }, () => words[random.below(random.below(2000) + 1)]).join(' '),
  );
  assert.ok(roundTrip(text, 'text') < 1.08 * gzipSync(text, { level: 1 }).length);
});
