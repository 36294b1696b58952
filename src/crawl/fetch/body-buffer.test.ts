import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BodyBuffer } from './body-buffer.ts';

test('a body of one chunk is not copied', () => {
  const body = new BodyBuffer();
  const chunk = Buffer.from('whole');
  body.append(chunk, null);
  assert.equal(body.take(), chunk);
  assert.equal(new BodyBuffer().take().length, 0);
});

test('chunks of any sizes are joined, whatever Content-Length says', () => {
  const sizes = [1, 0, 70_000, 3, 200_000, 1, 1];
  const whole = Buffer.concat(sizes.map((size, at) => Buffer.alloc(size, at + 1)));
  for (const announced of [null, 0, 5, whole.length, 1e12]) {
    const body = new BodyBuffer();
    for (const [at, size] of sizes.entries()) body.append(Buffer.alloc(size, at + 1), announced);
    assert.equal(body.sizeBytes, whole.length);
    assert.deepEqual(body.take(), whole);
  }
});

test('small chunks do not keep the buffer of the socket in memory', () => {
  const body = new BodyBuffer();
  for (let count = 0; count < 1000; count++) body.append(Buffer.alloc(65_536).subarray(7, 8), null);
  const taken = body.take();
  assert.equal(taken.length, 1000);
  assert.equal(taken.buffer.byteLength, 1000);
});
