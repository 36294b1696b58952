import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { testSeed } from '../../../test/helpers/seed.ts';
import { Random } from '../../base/mod.ts';
import { decodePart, encodePart, messageKey, openMessage, sealAtEnd, sealMessage } from './shard-message.ts';

const KEY = messageKey('secret');
const SEAL_BYTES = 32;
const REFUSED = { code: 'message-refused' };

test('maps, sets, bigints, typed arrays and infinity survive a message', () => {
  const value = {
    map: new Map([['a', 1]]),
    set: new Set([2]),
    big: -(2n ** 63n),
    columns: [Float64Array.of(0.1, -0), BigInt64Array.of(-1n), Uint16Array.of(65_535), Int8Array.of(-128)],
    leftMs: Number.POSITIVE_INFINITY,
    none: null,
    missing: undefined,
    text: 'Čeština \u{1f600}',
  };
  const parts = openMessage(sealMessage([encodePart(value), encodePart(null)], KEY), KEY);
  assert.deepEqual(parts.map(decodePart), [value, null]);
});

test('the example in the description of the format is a message', () => {
  const bytes = sealMessage([encodePart(null)], KEY);
  assert.equal(bytes.toString('hex', 0, 6), '4759534d010f');
  assert.equal(bytes.toString('hex', 14, bytes.length - SEAL_BYTES), '0103000000ff0f30');
});

test('a message with another key is refused', () => {
  assert.throws(() => openMessage(sealMessage([], messageKey('other')), KEY), REFUSED);
});

test('a reply to another request is refused', () => {
  const [asked, other] = [sealMessage([], KEY), sealMessage([], KEY)];
  const reply = sealMessage([encodePart(1)], KEY, sealAtEnd(asked));
  assert.equal(openMessage(reply, KEY, sealAtEnd(asked)).length, 1);
  assert.throws(() => openMessage(reply, KEY, sealAtEnd(other)), REFUSED);
  assert.throws(() => openMessage(reply, KEY), REFUSED);
});

test('a message with any changed, missing or additional bytes is refused', () => {
  const seed = testSeed();
  const random = new Random(seed);
  const bytes = sealMessage([encodePart({ view: 'a', docs: [1, 2, 3] }), encodePart('text')], KEY);
  const code = /^message-(?:refused|version)$/;
  for (let at = 0; at < bytes.length; at++) {
    const changed = Buffer.from(bytes);
    changed[at]! ^= 1 << random.below(8);
    assert.throws(() => openMessage(changed, KEY), { code }, `seed ${seed}, byte ${at}`);
    assert.throws(() => openMessage(bytes.subarray(0, at), KEY), { code }, `${at} bytes`);
  }
  assert.throws(() => openMessage(Buffer.concat([bytes, Buffer.alloc(1)]), KEY), REFUSED);
});

test('a sealed message whose parts are longer than it is refused', () => {
  const parts = [encodePart(1)];
  const whole = sealMessage(parts, KEY);
  const long = Buffer.from(whole);
  long.writeUInt32LE(0xffff_fff0, 15);
  // The changed message gets a correct seal, like a message that a faulty node of the cluster has written.
  assert.throws(() => openMessage(resealed(long), KEY), { code: 'message-refused', message: /longer/ });
});

test('random bytes in a sealed part are an error and never crash', () => {
  const seed = testSeed();
  const random = new Random(seed);
  for (let round = 0; round < 2000; round++) {
    const bytes = Buffer.from(Array.from({ length: random.below(60) }, () => random.below(256)));
    const start = encodePart({ a: new Map([[1n, [new Float64Array(2)]]]) });
    const part = random.chance(0.5) ? bytes : Buffer.concat([start.subarray(0, random.below(30)), bytes]);
    try {
      decodePart(part);
    } catch (error) {
      assert.equal((error as { code?: string }).code, 'message-refused', `seed ${seed}, round ${round}`);
    }
  }
});

test('another version is reported as such', () => {
  const bytes = sealMessage([], KEY);
  bytes[4]! += 1;
  assert.throws(() => openMessage(bytes, KEY), { code: 'message-version', message: /same version of Gyre/ });
});

function resealed(bytes: Buffer): Buffer {
  const body = bytes.subarray(0, bytes.length - SEAL_BYTES);
  return Buffer.concat([body, createHmac('sha256', KEY).update(body).digest()]);
}
