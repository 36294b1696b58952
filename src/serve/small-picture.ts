/**
 * The picture of a site, small enough that ten of them do not weigh more than the page. A file of icons (ICO) holds the same
 * picture in several sizes: of a large one, a single picture is taken out.
 *
 *   ICO: u16 0, u16 1, u16 count; per picture 16 bytes: u8 width, u8 height, u8 colours, u8 0, u16 planes, u16 bits,
 *   u32 size, u32 offset; then the pictures, each a PNG or a bitmap without its header
 */
export const MAX_PICTURE_BYTES = 1536;

const HEAD_BYTES = 6;
const ENTRY_BYTES = 16;
const MAX_ENTRIES = 64;
/** As wide as it is shown, on a fine screen and on a coarse one. */
const WIDTHS = [32, 24, 16, 48];

/** Null if there is no picture in it that is small enough. */
export function smallPicture(bytes: Buffer, contentType: string): Buffer | null {
  if (bytes.length <= MAX_PICTURE_BYTES) return bytes;
  if (contentType !== 'image/x-icon') return null;
  const entries = entriesOf(bytes);
  for (const width of WIDTHS) {
    const entry = entries.find((each) => each[0] === width && pictureOf(bytes, each) !== null);
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
  return isThere && HEAD_BYTES + ENTRY_BYTES + size <= MAX_PICTURE_BYTES
    ? bytes.subarray(offset, offset + size)
    : null;
}

function singleIcon(entry: Buffer, picture: Buffer): Buffer {
  const head = Buffer.from([0, 0, 1, 0, 1, 0]);
  const own = Buffer.from(entry);
  own.writeUInt32LE(HEAD_BYTES + ENTRY_BYTES, 12);
  return Buffer.concat([head, own, picture]);
}
