/**
 * Selects a small image from the icon of a site, so that ten icons together are not larger than the page. An
 * ICO file contains the same image in several sizes. From a large file, one image is extracted. Images are
 * never decoded, because this runs in the thread that accepts connections.
 *
 *   ICO: u16 0, u16 1, u16 count; per picture 16 bytes: u8 width, u8 height, u8 colours, u8 0, u16 planes, u16 bits,
 *   u32 size, u32 offset; then the pictures, each a PNG or a bitmap without its header
 */
import type { Picture } from '../cached/mod.ts';

export const MAX_PICTURE_BYTES = 1536;

const HEAD_BYTES = 6;
const ENTRY_BYTES = 16;
const MAX_ENTRIES = 64;
/** The preferred widths in pixels. The icon is shown 16 CSS pixels wide, on screens of various densities. */
const WIDTHS = [32, 24, 16, 48];

/** Returns an image that is small enough; null if there is none. */
export function smallPicture(picture: Picture): Picture | null {
  const { bytes, contentType } = picture;
  if (bytes.length <= MAX_PICTURE_BYTES) return picture;
  const single = contentType === 'image/x-icon' ? smallEntry(bytes, entriesOf(bytes)) : null;
  return single && { contentType, bytes: single };
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
