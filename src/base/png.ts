/**
 * Encodes small PNG images (RFC 2083) with one byte each of red, green, blue and alpha.
 *
 *   signature 8 bytes; then chunks: length u32, type 4 letters, data, crc32 u32 of type and data
 *   IHDR  width u32, height u32, depth u8, colour u8, 0, 0, interlaced u8
 *   IDAT  zlib of the rows, each a filter byte and its samples
 */
import { crc32, deflateSync } from 'node:zlib';

interface Raster {
  width: number;
  height: number;
  /** The pixels from left to right and from top to bottom, four bytes each. */
  rgba: Uint8Array;
}

const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
const HEADER_BYTES = 13;
const FRAME_BYTES = 12;

export function encodePng({ width, height, rgba }: Raster): Buffer {
  const stride = 4 * width;
  const rows = Buffer.alloc(height * (stride + 1));
  for (let y = 0; y < height; y++) {
    rows.set(rgba.subarray(y * stride, (y + 1) * stride), y * (stride + 1) + 1);
  }
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 6], 8);
  const data = deflateSync(rows, { level: 9 });
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const framed = Buffer.alloc(FRAME_BYTES + data.length);
  framed.writeUInt32BE(data.length, 0);
  framed.write(type, 4, 'latin1');
  data.copy(framed, 8);
  framed.writeUInt32BE(crc32(framed.subarray(4, 8 + data.length)), 8 + data.length);
  return framed;
}
