import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_PICTURE_BYTES, smallPicture } from './small-picture.ts';

/**
 * Makes an ICO file with images of the given widths. Each image is `size` bytes long and filled with its
 * width.
 */
function icons(...pictures: [width: number, size: number][]): Buffer {
  const head = Buffer.from([0, 0, 1, 0, pictures.length, 0]);
  let offset = 6 + 16 * pictures.length;
  const entries = pictures.map(([width, size]) => {
    const entry = Buffer.from([width, width, 0, 0, 1, 0, 32, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    entry.writeUInt32LE(size, 8);
    entry.writeUInt32LE(offset, 12);
    offset += size;
    return entry;
  });
  return Buffer.concat([head, ...entries, ...pictures.map(([width, size]) => Buffer.alloc(size, width))]);
}

function small(bytes: Buffer, contentType: string): Buffer | null {
  return smallPicture({ bytes, contentType })?.bytes ?? null;
}

test('a small image is extracted from a large ICO file', () => {
  const taken = small(icons([48, 9000], [16, 1128], [32, 1500], [32, 4264]), 'image/x-icon');
  assert.deepEqual(taken, icons([32, 1500]));
  assert.deepEqual(small(icons([0, 9000], [32, 4264], [16, 1128]), 'image/x-icon'), icons([16, 1128]));
});

test('a small icon is sent unchanged, and a large one is not sent', () => {
  const picture = icons([16, 318]);
  assert.equal(small(picture, 'image/x-icon'), picture);
  assert.equal(small(icons([32, 4264]), 'image/x-icon'), null);
  assert.equal(small(Buffer.alloc(MAX_PICTURE_BYTES + 1), 'image/png'), null);
});

test('an ICO file with false offsets gives no icon', () => {
  const lying = icons([32, 1000], [16, 1500]);
  lying.writeUInt32LE(2 ** 31, 6 + 12);
  lying.writeUInt32LE(2 ** 31, 6 + 16 + 8);
  assert.equal(small(lying, 'image/x-icon'), null);
  const many = icons([32, 3000]);
  many.writeUInt16LE(65_535, 4);
  assert.equal(small(many.subarray(0, 2100), 'image/x-icon'), null);
});
