import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_PICTURE_BYTES, smallPicture } from './small-picture.ts';

/** An ICO with pictures of these widths, filled with their width, each of so many bytes. */
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

test('of a large file of icons the one is taken that is shown', () => {
  const taken = smallPicture(icons([48, 9000], [16, 1128], [32, 1500], [32, 4264]), 'image/x-icon');
  assert.deepEqual(taken, icons([32, 1500]));
  assert.deepEqual(smallPicture(icons([0, 9000], [32, 4264], [16, 1128]), 'image/x-icon'), icons([16, 1128]));
});

test('what is small stays as it is, what cannot be made small is none', () => {
  const small = icons([16, 318]);
  assert.equal(smallPicture(small, 'image/x-icon'), small);
  assert.equal(smallPicture(icons([32, 4264]), 'image/x-icon'), null);
  assert.equal(smallPicture(Buffer.alloc(MAX_PICTURE_BYTES + 1), 'image/png'), null);
});

test('a file of icons that lies about itself gives none', () => {
  const lying = icons([32, 1000], [16, 1500]);
  lying.writeUInt32LE(2 ** 31, 6 + 12);
  lying.writeUInt32LE(2 ** 31, 6 + 16 + 8);
  assert.equal(smallPicture(lying, 'image/x-icon'), null);
  const many = icons([32, 3000]);
  many.writeUInt16LE(65_535, 4);
  assert.equal(smallPicture(many.subarray(0, 2100), 'image/x-icon'), null);
});
