import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crc32, inflateSync } from 'node:zlib';
import { encodePng } from './png.ts';
import { Random } from './random.ts';

/** Splits a PNG image into its chunks, and checks the signature, the lengths and the checksums. */
function chunksOf(png: Buffer): Map<string, Buffer> {
  assert.equal(png.toString('latin1', 0, 8), '\x89PNG\r\n\x1a\n');
  const chunks = new Map<string, Buffer>();
  for (let at = 8; at < png.length; ) {
    const end = at + 8 + png.readUInt32BE(at);
    assert.equal(png.readUInt32BE(end), crc32(png.subarray(at + 4, end)));
    chunks.set(png.toString('latin1', at + 4, at + 8), png.subarray(at + 8, end));
    at = end + 4;
  }
  return chunks;
}

test('an encoded image has its size, and its pixels in rows without a filter', () => {
  const random = new Random(7);
  const [width, height] = [3, 40];
  const rgba = Uint8Array.from({ length: 4 * width * height }, () => random.between(0, 255));
  const chunks = chunksOf(encodePng({ width, height, rgba }));
  assert.deepEqual([...chunks.keys()], ['IHDR', 'IDAT', 'IEND']);
  assert.deepEqual([...chunks.get('IHDR')!], [0, 0, 0, width, 0, 0, 0, height, 8, 6, 0, 0, 0]);
  const rows = inflateSync(chunks.get('IDAT')!);
  assert.equal(rows.length, height * (4 * width + 1));
  for (let y = 0; y < height; y++) {
    const row = rows.subarray(y * (4 * width + 1), (y + 1) * (4 * width + 1));
    assert.deepEqual([...row], [0, ...rgba.subarray(4 * width * y, 4 * width * (y + 1))]);
  }
});
