import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodePng, encodePng, Random, type Raster } from '../../base/mod.ts';
import { MAX_PICTURE_BYTES, smallPicture } from './small-picture.ts';

/** An ICO with images of these widths, each `size` bytes long and filled with its width. */
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

/** Noise, which does not compress. */
function noise(width: number, height: number): Raster {
  const random = new Random(5);
  return {
    width,
    height,
    rgba: Uint8Array.from({ length: 4 * width * height }, () => random.between(0, 255)),
  };
}

test('of a large file of icons the one is taken that is shown', () => {
  const taken = small(icons([48, 9000], [16, 1128], [32, 1500], [32, 4264]), 'image/x-icon');
  assert.deepEqual(taken, icons([32, 1500]));
  assert.deepEqual(small(icons([0, 9000], [32, 4264], [16, 1128]), 'image/x-icon'), icons([16, 1128]));
});

test('what is small stays as it is, what cannot be made small is none', () => {
  const picture = icons([16, 318]);
  assert.equal(small(picture, 'image/x-icon'), picture);
  assert.equal(small(icons([32, 4264]), 'image/x-icon'), null);
  assert.equal(small(Buffer.alloc(MAX_PICTURE_BYTES + 1), 'image/png'), null);
});

test('a file of icons that lies about itself gives none', () => {
  const lying = icons([32, 1000], [16, 1500]);
  lying.writeUInt32LE(2 ** 31, 6 + 12);
  lying.writeUInt32LE(2 ** 31, 6 + 16 + 8);
  assert.equal(small(lying, 'image/x-icon'), null);
  const many = icons([32, 3000]);
  many.writeUInt16LE(65_535, 4);
  assert.equal(small(many.subarray(0, 2100), 'image/x-icon'), null);
});

test('a large PNG is made smaller, also in a file of icons, until it is small enough', () => {
  const plain = encodePng({ width: 180, height: 180, rgba: new Uint8Array(4 * 180 * 180).fill(200) });
  const padded = Buffer.concat([plain, Buffer.alloc(MAX_PICTURE_BYTES)]);
  assert.deepEqual(decodePng(small(padded, 'image/png')!, 1024), {
    width: 32,
    height: 32,
    rgba: new Uint8Array(4 * 32 * 32).fill(200),
  });
  const noisy = encodePng(noise(192, 192));
  const scaled = small(noisy, 'image/png')!;
  assert.ok(scaled.length <= MAX_PICTURE_BYTES);
  assert.equal(decodePng(scaled, 1024)!.width, 16);
  const file = icons([0, noisy.length]);
  noisy.copy(file, 22);
  assert.deepEqual(smallPicture({ bytes: file, contentType: 'image/x-icon' }), {
    contentType: 'image/png',
    bytes: scaled,
  });
});

test('what is transparent leaves no colour, and what is not square stands in the middle', () => {
  const width = 64;
  const rgba = new Uint8Array(4 * width * (width / 2));
  for (let at = 0; at < rgba.length; at += 4)
    rgba.set(at % 8 === 0 ? [0, 200, 0, 255] : [255, 255, 255, 0], at);
  const png = Buffer.concat([encodePng({ width, height: width / 2, rgba }), Buffer.alloc(MAX_PICTURE_BYTES)]);
  const scaled = decodePng(small(png, 'image/png')!, 1024)!;
  const pixel = (x: number, y: number) => [...scaled.rgba.subarray(4 * (32 * y + x), 4 * (32 * y + x) + 4)];
  assert.deepEqual(pixel(16, 16), [0, 200, 0, 128]);
  assert.deepEqual(pixel(16, 2), [0, 0, 0, 0]);
  assert.deepEqual(pixel(16, 30), [0, 0, 0, 0]);
});
