import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CorruptError } from '../errors.ts';
import { parseSealedJson, sealJson } from './sealed-json.ts';

const VALUE = { format: 1, seeds: ['https://example.org/ä'], contact: 'mailto:a@b.example' };
const OPTIONS = { file: 'x.json', keys: Object.keys(VALUE), advice: 'write it again' };

test('a sealed value is read back, and so is an old value without a checksum', () => {
  assert.deepEqual(parseSealedJson(sealJson(VALUE), OPTIONS), VALUE);
  assert.deepEqual(parseSealedJson(Buffer.from(JSON.stringify(VALUE)), OPTIONS), VALUE);
});

test('a flipped bit is always detected, and the error has advice', () => {
  const sealed = sealJson(VALUE);
  for (let at = 0; at < sealed.length * 8; at++) {
    const flipped = Buffer.from(sealed);
    flipped[at >> 3]! ^= 1 << (at & 7);
    try {
      // After the checksum come only white space and a brace. A flipped bit there may leave the value
      // unchanged.
      assert.deepEqual(parseSealedJson(flipped, OPTIONS), VALUE);
    } catch (error) {
      assert.ok(error instanceof CorruptError, String(error));
      assert.match(error.message, /^x\.json at byte \d+: expected .+; write it again$/s);
    }
  }
});

test('a truncated file is damaged', () => {
  const sealed = sealJson(VALUE);
  for (const length of [0, 1, 40, sealed.length - 10]) {
    assert.throws(() => parseSealedJson(sealed.subarray(0, length), OPTIONS), CorruptError);
  }
});
