import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hash64, hashLanes, sha1Base32 } from './hash.ts';

// Hashes of the reference program, which prints four numbers h1 to h4. Gyre keeps h1 as the low half and h2
// as the high half.
const VECTORS: [text: string, seed: number, h1: number, h2: number][] = [
  ['', 0, 0x00000000, 0x00000000],
  ['', 1, 0x88c4adec, 0x54d201b9],
  ['hello', 0, 0x2b2444a0, 0xdb91def7],
  ['The quick brown fox jumps over the lazy dog', 0, 0x2f1583c3, 0xecee2c67],
];

test('hashes agree with MurmurHash3 x86_128', () => {
  for (const [text, seed, h1, h2] of VECTORS) assert.deepEqual(hashLanes(text, seed), [h1, h2], text);
});

test('both forms of a hash have the same bits', () => {
  const [low, high] = hashLanes('https://example.org/');
  assert.equal(hash64('https://example.org/'), (BigInt(high) << 32n) | BigInt(low));
});

test('long and non-ASCII texts hash without loss', () => {
  const long = 'ü'.repeat(100_000);
  assert.notEqual(hash64(long), hash64(`${long}x`));
});

test('a SHA-1 digest is encoded as in WARC files', () => {
  assert.equal(sha1Base32(Buffer.from('')), '3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ');
  assert.equal(sha1Base32(Buffer.from('abc')), 'VGMT4NSHA2AWVOR6EVYXQUGCNSONBWE5');
});
