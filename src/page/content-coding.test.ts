import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { decodeBody, decodeBodyAside } from './content-coding.ts';

const text = Buffer.from('A body that is worth its coding. '.repeat(20));
const LIMIT = 10_000;

const codings: [name: string, header: string, payload: Buffer][] = [
  ['none', '', text],
  ['identity', 'identity', text],
  ['gzip', 'gzip', gzipSync(text)],
  ['gzip under its old name', 'X-Gzip', gzipSync(text)],
  ['brotli', 'br', brotliCompressSync(text)],
  ['zstd', 'zstd', zstdCompressSync(text)],
  ['deflate', 'deflate', deflateSync(text)],
  ['deflate without its header', 'deflate', deflateRawSync(text)],
  ['two in a row', 'gzip, br', brotliCompressSync(gzipSync(text))],
];

for (const [name, header, payload] of codings) {
  test(`undoes ${name}`, async () => {
    assert.deepEqual(decodeBody(payload, header, LIMIT), { kind: 'decoded', body: text });
    assert.deepEqual(await decodeBodyAside(payload, header, LIMIT), { kind: 'decoded', body: text });
  });
}

test('a decompression bomb is rejected at the limit, in every coding', async () => {
  const zeros = Buffer.alloc(5_000_000);
  for (const [header, payload] of [
    ['gzip', gzipSync(zeros)],
    ['br', brotliCompressSync(zeros)],
    ['zstd', zstdCompressSync(zeros)],
    ['deflate', deflateSync(zeros)],
  ] as const) {
    assert.deepEqual(decodeBody(payload, header, LIMIT), { kind: 'too-large' }, header);
    assert.deepEqual(await decodeBodyAside(payload, header, LIMIT), { kind: 'too-large' }, header);
  }
});

test('a truncated body gives the bytes before the end', () => {
  const decoded = decodeBody(gzipSync(text).subarray(0, -12), 'gzip', LIMIT);
  assert.equal(decoded.kind, 'decoded');
});

test('unknown, broken and too deeply nested codings are reported with their names', () => {
  assert.deepEqual(decodeBody(text, 'rot13', LIMIT), {
    kind: 'undecodable',
    reason: 'unknown content coding rot13',
  });
  assert.deepEqual(decodeBody(text, 'gzip', LIMIT), { kind: 'undecodable', reason: 'broken gzip body' });
  const nested = decodeBody(text, 'gzip, gzip, gzip, gzip', LIMIT);
  assert.deepEqual(nested, { kind: 'undecodable', reason: 'too many content codings' });
});

test('a body that expands hundreds of times is rejected, even below the size limit', () => {
  const bomb = gzipSync(Buffer.alloc(5_000_000));
  assert.deepEqual(decodeBody(bomb, 'gzip', 100_000_000), { kind: 'too-large' });
  const small = gzipSync(Buffer.alloc(900_000));
  assert.equal(decodeBody(small, 'gzip', 100_000_000).kind, 'decoded', 'a small one may');
});

test('memory of large bodies is freed every few megabytes; memory of small bodies is left to V8', (t) => {
  const collected = t.mock.fn();
  const { gc } = globalThis;
  globalThis.gc = collected as unknown as NodeJS.GCFunction;
  t.after(() => {
    globalThis.gc = gc;
  });
  const bomb = gzipSync(Buffer.alloc(5_000_000));
  for (let i = 0; i < 50; i++) decodeBody(gzipSync(text), 'gzip', LIMIT);
  assert.equal(collected.mock.callCount(), 0);
  for (let i = 0; i < 30; i++) assert.equal(decodeBody(bomb, 'gzip', 4_000_000).kind, 'too-large');
  assert.ok(collected.mock.callCount() >= 3);
});
