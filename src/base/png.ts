/**
 * Encodes and decodes small PNG images (RFC 2083).
 *
 *   signature 8 bytes; then chunks: length u32, type 4 letters, data, crc32 u32 of type and data
 *   IHDR  width u32, height u32, depth u8, colour u8, 0, 0, interlaced u8
 *   PLTE  3 bytes a colour;  tRNS  what of it is transparent
 *   IDAT  zlib of the rows, each a filter byte and its samples
 *
 * A decoded image has one byte each of red, green, blue and alpha. Interlaced images and images with 16 bits
 * per sample are not decoded: icons have neither.
 */
import { crc32, deflateSync, inflateSync } from 'node:zlib';

export interface Raster {
  width: number;
  height: number;
  /** Four bytes per pixel, left to right, top to bottom. */
  rgba: Uint8Array;
}

const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
const HEADER_BYTES = 13;
const FRAME_BYTES = 12;
/** Samples per pixel, by colour type. */
const SAMPLES: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
const PALETTE = 3;

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

/** Returns null if the bytes are not a PNG, are damaged, or have more than `maxPixels`. */
export function decodePng(bytes: Buffer, maxPixels: number): Raster | null {
  const chunks = chunksOf(bytes);
  const form = formOf(chunks);
  if (!form || form.width * form.height > maxPixels) return null;
  const { width, height, samples, depth } = form;
  const stride = Math.ceil((width * samples * depth) / 8);
  const whole = height * (stride + 1);
  try {
    const data = Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data));
    const rows = inflateSync(data, { maxOutputLength: whole });
    if (rows.length < whole) return null;
    const isSound = unfilter(rows, height, stride, Math.max(1, (samples * depth) >> 3));
    return isSound ? { width, height, rgba: colour(rows, form, stride, chunks) } : null;
  } catch {
    return null;
  }
}

interface Chunk {
  type: string;
  data: Buffer;
}

interface Form {
  width: number;
  height: number;
  depth: number;
  kind: number;
  samples: number;
}

function chunk(type: string, data: Buffer): Buffer {
  const framed = Buffer.alloc(FRAME_BYTES + data.length);
  framed.writeUInt32BE(data.length, 0);
  framed.write(type, 4, 'latin1');
  data.copy(framed, 8);
  framed.writeUInt32BE(crc32(framed.subarray(4, 8 + data.length)), 8 + data.length);
  return framed;
}

function chunksOf(bytes: Buffer): Chunk[] {
  const chunks: Chunk[] = [];
  if (!bytes.subarray(0, SIGNATURE.length).equals(SIGNATURE)) return chunks;
  for (let at = SIGNATURE.length; at + FRAME_BYTES <= bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    if (at + FRAME_BYTES + length > bytes.length) break;
    chunks.push({
      type: bytes.toString('latin1', at + 4, at + 8),
      data: bytes.subarray(at + 8, at + 8 + length),
    });
    at += FRAME_BYTES + length;
  }
  return chunks;
}

function formOf(chunks: readonly Chunk[]): Form | null {
  const [first] = chunks;
  if (first?.type !== 'IHDR' || first.data.length < HEADER_BYTES) return null;
  const [width, height] = [first.data.readUInt32BE(0), first.data.readUInt32BE(4)];
  const [depth, kind, , , interlaced] = first.data.subarray(8) as unknown as number[];
  const samples = SAMPLES[kind!];
  const isRead = samples !== undefined && [1, 2, 4, 8].includes(depth!) && (depth === 8 || samples === 1);
  if (!isRead || interlaced !== 0 || width === 0 || height === 0) return null;
  return { width, height, depth: depth!, kind: kind!, samples };
}

/**
 * Undoes the row filters in place: each byte depends on its neighbours to the left, above, and above left.
 * Returns false for an unknown filter.
 */
function unfilter(rows: Buffer, height: number, stride: number, step: number): boolean {
  for (let y = 0; y < height; y++) {
    const start = y * (stride + 1) + 1;
    const filter = rows[start - 1]!;
    if (filter > 4) return false;
    for (let x = 0; x < stride; x++) {
      const at = start + x;
      const left = x >= step ? rows[at - step]! : 0;
      const above = y > 0 ? rows[at - stride - 1]! : 0;
      const corner = x >= step && y > 0 ? rows[at - stride - 1 - step]! : 0;
      rows[at] = rows[at]! + predicted(filter, left, above, corner);
    }
  }
  return true;
}

function predicted(filter: number, left: number, above: number, corner: number): number {
  if (filter === 0) return 0;
  if (filter === 1) return left;
  if (filter === 2) return above;
  if (filter === 3) return (left + above) >> 1;
  const guess = left + above - corner;
  const [toLeft, toAbove, toCorner] = [
    Math.abs(guess - left),
    Math.abs(guess - above),
    Math.abs(guess - corner),
  ];
  if (toLeft <= toAbove && toLeft <= toCorner) return left;
  return toAbove <= toCorner ? above : corner;
}

function colour(rows: Buffer, form: Form, stride: number, chunks: readonly Chunk[]): Uint8Array {
  const { width, height, depth, samples } = form;
  const clear = chunks.find(({ type }) => type === 'tRNS')?.data;
  const table = samples === 1 ? tableOf(form, chunks, clear) : null;
  const rgba = new Uint8Array(4 * width * height);
  for (let y = 0, to = 0; y < height; y++) {
    const start = y * (stride + 1) + 1;
    for (let x = 0; x < width; x++, to += 4) {
      if (table) copyPixel(rgba, to, table, 4 * sampleAt(rows, start, x, depth));
      else trueColour(rgba, to, rows, start + x * samples, samples, clear);
    }
  }
  return rgba;
}

/** The colour table of images with one sample per pixel: a palette, or shades of grey. */
function tableOf({ kind, depth }: Form, chunks: readonly Chunk[], clear: Buffer | undefined): Uint8Array {
  const palette = chunks.find(({ type }) => type === 'PLTE')?.data;
  const table = new Uint8Array(4 << depth);
  for (let value = 0; value < 1 << depth; value++) {
    const shade = (255 * value) / ((1 << depth) - 1);
    const isClear = clear !== undefined && clear[1] === value;
    if (kind === PALETTE) table.set(palette?.subarray(3 * value, 3 * value + 3) ?? [], 4 * value);
    else table.fill(shade, 4 * value, 4 * value + 3);
    table[4 * value + 3] = kind === PALETTE ? (clear?.[value] ?? 255) : isClear ? 0 : 255;
  }
  return table;
}

function sampleAt(rows: Buffer, start: number, at: number, depth: number): number {
  const bit = at * depth;
  return (rows[start + (bit >> 3)]! >> (8 - depth - (bit & 7))) & ((1 << depth) - 1);
}

/**
 * Converts pixels of grey with alpha, or of red, green and blue with or without alpha. In RGB images one
 * colour may be transparent.
 */
function trueColour(
  rgba: Uint8Array,
  to: number,
  rows: Buffer,
  from: number,
  samples: number,
  clear: Buffer | undefined,
): void {
  const step = samples === 2 ? 0 : 1;
  const [red, green, blue] = [rows[from]!, rows[from + step]!, rows[from + 2 * step]!];
  const isClear = clear !== undefined && clear[1] === red && clear[3] === green && clear[5] === blue;
  rgba[to] = red;
  rgba[to + 1] = green;
  rgba[to + 2] = blue;
  rgba[to + 3] = samples === 3 ? (isClear ? 0 : 255) : rows[from + samples - 1]!;
}

function copyPixel(rgba: Uint8Array, to: number, table: Uint8Array, from: number): void {
  for (let at = 0; at < 4; at++) rgba[to + at] = table[from + at]!;
}
