/**
 * Computes the length of a zstd frame (RFC 8878 § 3.1) from its headers: the decompressor of Node.js does not
 * report where a frame ends, and may read into the next frame.
 */

const MAGIC = 0xfd2fb528;
const SKIPPABLE_MAGIC = 0x184d2a50;
/**
 * The magic number of a skippable frame with the zstd dictionary of all frames after it (WARC zstd
 * specification).
 */
const DICTIONARY_MAGIC = 0x184d2a5d;

const RLE_BLOCK = 1;
const RESERVED_BLOCK = 3;
const DICTIONARY_ID_BYTES = [0, 1, 2, 4];
const CONTENT_SIZE_BYTES = [0, 2, 4, 8];

export type ZstdFrame =
  | { kind: 'frame'; length: number }
  | { kind: 'dictionary' | 'skippable'; length: number }
  /** The frame is longer than the given bytes. */
  | { kind: 'incomplete' }
  | { kind: 'none' };

export function zstdFrameAt(bytes: Buffer): ZstdFrame {
  if (bytes.length < 8) return { kind: 'incomplete' };
  const magic = bytes.readUInt32LE(0);
  if (magic === MAGIC) return dataFrame(bytes);
  if ((magic & 0xfffffff0) >>> 0 !== SKIPPABLE_MAGIC) return { kind: 'none' };
  const length = 8 + bytes.readUInt32LE(4);
  if (length > bytes.length) return { kind: 'incomplete' };
  return { kind: magic === DICTIONARY_MAGIC ? 'dictionary' : 'skippable', length };
}

function dataFrame(bytes: Buffer): ZstdFrame {
  const descriptor = bytes[4]!;
  let at = 5 + headerBytes(descriptor);
  for (let isLast = false; !isLast; ) {
    if (at + 3 > bytes.length) return { kind: 'incomplete' };
    const header = bytes.readUIntLE(at, 3);
    const type = (header >> 1) & 3;
    if (type === RESERVED_BLOCK) return { kind: 'none' };
    at += 3 + (type === RLE_BLOCK ? 1 : header >> 3);
    isLast = (header & 1) === 1;
  }
  const length = at + ((descriptor & 4) === 0 ? 0 : 4);
  return length > bytes.length ? { kind: 'incomplete' } : { kind: 'frame', length };
}

/**
 * Returns the total length of three optional header fields: window size, dictionary id and content size.
 * `descriptor`, the byte before them, says which are present.
 */
function headerBytes(descriptor: number): number {
  const isSingleSegment = (descriptor & 0x20) !== 0;
  const sizeFlag = descriptor >> 6;
  const contentSize = sizeFlag === 0 && isSingleSegment ? 1 : CONTENT_SIZE_BYTES[sizeFlag]!;
  return (isSingleSegment ? 0 : 1) + DICTIONARY_ID_BYTES[descriptor & 3]! + contentSize;
}
