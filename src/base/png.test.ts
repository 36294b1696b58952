import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crc32, deflateSync } from 'node:zlib';
import { decodePng, encodePng } from './png.ts';
import { Random } from './random.ts';

const MAX_PIXELS = 10_000;

function chunk(type: string, data: readonly number[] | Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type), Buffer.from(data)]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, check]);
}

/** Makes a PNG of two pixels side by side from the given row and further chunks. */
function two(depth: number, kind: number, row: number[], ...more: Buffer[]): Buffer {
  const header = chunk('IHDR', [0, 0, 0, 2, 0, 0, 0, 1, depth, kind, 0, 0, 0]);
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  return Buffer.concat([signature, header, ...more, chunk('IDAT', deflateSync(Buffer.from(row)))]);
}

test('what was encoded is decoded', () => {
  const random = new Random(7);
  for (const [width, height] of [
    [1, 1],
    [16, 16],
    [3, 40],
  ] as const) {
    const rgba = Uint8Array.from({ length: 4 * width * height }, () => random.between(0, 255));
    assert.deepEqual(decodePng(encodePng({ width, height, rgba }), MAX_PIXELS), { width, height, rgba });
  }
});

test('every kind of colour and every filter is read', () => {
  const palette = chunk('PLTE', [9, 8, 7, 1, 2, 3]);
  const cases: [name: string, png: Buffer, rgba: number[]][] = [
    ['grey of one bit', two(1, 0, [0, 0b01000000]), [0, 0, 0, 255, 255, 255, 255, 255]],
    ['grey, one shade clear', two(8, 0, [0, 5, 6], chunk('tRNS', [0, 6])), [5, 5, 5, 255, 6, 6, 6, 0]],
    ['true colour', two(8, 2, [0, 1, 2, 3, 4, 5, 6]), [1, 2, 3, 255, 4, 5, 6, 255]],
    [
      'one colour clear',
      two(8, 2, [0, 1, 2, 3, 4, 5, 6], chunk('tRNS', [0, 1, 0, 2, 0, 3])),
      [1, 2, 3, 0, 4, 5, 6, 255],
    ],
    ['palette', two(4, 3, [0, 0x10], palette, chunk('tRNS', [70])), [1, 2, 3, 255, 9, 8, 7, 70]],
    ['grey with alpha', two(8, 4, [0, 1, 2, 3, 4]), [1, 1, 1, 2, 3, 3, 3, 4]],
    ['alpha', two(8, 6, [0, 1, 2, 3, 4, 5, 6, 7, 8]), [1, 2, 3, 4, 5, 6, 7, 8]],
    ['left', two(8, 2, [1, 1, 2, 3, 4, 5, 6]), [1, 2, 3, 255, 5, 7, 9, 255]],
    ['above', two(8, 2, [2, 1, 2, 3, 4, 5, 6]), [1, 2, 3, 255, 4, 5, 6, 255]],
    ['average', two(8, 2, [3, 2, 2, 4, 4, 5, 6]), [2, 2, 4, 255, 5, 6, 8, 255]],
    ['Paeth', two(8, 2, [4, 1, 2, 3, 4, 5, 6]), [1, 2, 3, 255, 5, 7, 9, 255]],
  ];
  for (const [name, png, rgba] of cases) {
    assert.deepEqual([...(decodePng(png, MAX_PIXELS)?.rgba ?? [])], rgba, name);
  }
});

test('a filter looks at the row above, and at the corner', () => {
  const rows = (filter: number) => [0, 10, 20, filter, 1, 2];
  const shades = (filter: number) => {
    const png = two(8, 0, rows(filter));
    png.writeUInt32BE(2, 20);
    return [...decodePng(png, MAX_PIXELS)!.rgba].filter((_, at) => at % 4 === 0);
  };
  assert.deepEqual(shades(1), [10, 20, 1, 3]);
  assert.deepEqual(shades(2), [10, 20, 11, 22]);
  assert.deepEqual(shades(3), [10, 20, 6, 15]);
  assert.deepEqual(shades(4), [10, 20, 11, 22]);
});

test('what is damaged, unknown or too large is no picture', () => {
  const good = encodePng({ width: 40, height: 40, rgba: new Uint8Array(6400) });
  for (let length = 0; length < good.length - 12; length++) {
    assert.equal(decodePng(good.subarray(0, length), MAX_PIXELS), null, `cut at ${length}`);
  }
  assert.equal(decodePng(good, 1599), null);
  const bomb = two(
    8,
    6,
    Array.from({ length: 100_000 }, () => 0),
  );
  const wrong = { bomb, filter: two(8, 0, [5, 1, 1]), depth: two(16, 0, [0, 1, 1, 1, 1]) };
  for (const [name, png] of Object.entries(wrong)) assert.equal(decodePng(png, MAX_PIXELS), null, name);
  const random = new Random(3);
  for (let round = 0; round < 300; round++) {
    const bytes = Buffer.from(good);
    for (let times = 0; times < 4; times++)
      bytes[random.between(0, bytes.length - 1)] = random.between(0, 255);
    const raster = decodePng(bytes, MAX_PIXELS);
    if (raster) assert.equal(raster.rgba.length, 4 * raster.width * raster.height);
  }
});
