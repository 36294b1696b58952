/**
 * Makes the icon of a site so small that ten icons together are not larger than the page. An ICO file
 * contains the same image in several sizes; if the file is large, a single image is extracted. A large PNG is
 * scaled down, also one inside an ICO file.
 *
 *   ICO: u16 0, u16 1, u16 count; per picture 16 bytes: u8 width, u8 height, u8 colours, u8 0, u16 planes, u16 bits,
 *   u32 size, u32 offset; then the pictures, each a PNG or a bitmap without its header
 */
import { pictureType } from '../../page/mod.ts';
import type { Picture } from '../cached/mod.ts';
import { scaledPng } from './scaled-picture.ts';

export const MAX_PICTURE_BYTES = 1536;

const HEAD_BYTES = 6;
const ENTRY_BYTES = 16;
const MAX_ENTRIES = 64;
/** Preferred widths: the icon is shown 16 CSS pixels wide, on screens of various densities. */
const WIDTHS = [32, 24, 16, 48];
const SCALED_WIDTHS = [32, 24, 16];

/** Returns null if no image in the file can be made small enough. */
export function smallPicture(picture: Picture): Picture | null {
  const { bytes, contentType } = picture;
  if (bytes.length <= MAX_PICTURE_BYTES) return picture;
  if (contentType === 'image/png') return scaled(bytes);
  if (contentType !== 'image/x-icon') return null;
  const entries = entriesOf(bytes);
  const single = smallEntry(bytes, entries);
  if (single) return { contentType, bytes: single };
  const png = entries.map((entry) => pictureOf(bytes, entry)).find((each) => each && isPng(each));
  return png ? scaled(png) : null;
}

function scaled(png: Buffer): Picture | null {
  const bytes = scaledPng(png, SCALED_WIDTHS, MAX_PICTURE_BYTES);
  return bytes && { contentType: 'image/png', bytes };
}

function isPng(bytes: Buffer): boolean {
  return pictureType(bytes) === 'image/png';
}

function smallEntry(bytes: Buffer, entries: readonly Buffer[]): Buffer | null {
  const isSmall = (picture: Buffer | null) =>
    picture !== null && HEAD_BYTES + ENTRY_BYTES + picture.length <= MAX_PICTURE_BYTES;
  for (const width of WIDTHS) {
    const entry = entries.find((each) => each[0] === width && isSmall(pictureOf(bytes, each)));
    if (entry) return singleIcon(entry, pictureOf(bytes, entry)!);
  }
  return null;
}

function entriesOf(bytes: Buffer): Buffer[] {
  const count = Math.min(MAX_ENTRIES, bytes.readUInt16LE(4));
  const entries = Array.from({ length: count }, (_, at) =>
    bytes.subarray(HEAD_BYTES + at * ENTRY_BYTES, HEAD_BYTES + (at + 1) * ENTRY_BYTES),
  );
  return entries.filter((entry) => entry.length === ENTRY_BYTES);
}

function pictureOf(bytes: Buffer, entry: Buffer): Buffer | null {
  const [size, offset] = [entry.readUInt32LE(8), entry.readUInt32LE(12)];
  const isThere = size > 0 && offset >= HEAD_BYTES && offset + size <= bytes.length;
  return isThere ? bytes.subarray(offset, offset + size) : null;
}

function singleIcon(entry: Buffer, picture: Buffer): Buffer {
  const head = Buffer.from([0, 0, 1, 0, 1, 0]);
  const own = Buffer.from(entry);
  own.writeUInt32LE(HEAD_BYTES + ENTRY_BYTES, 12);
  return Buffer.concat([head, own, picture]);
}
