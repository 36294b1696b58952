/**
 * Packs 128 numbers with as many bits per number as most of them need (patched frame of reference; Zukowski and
 * others, "Super-Scalar RAM-CPU Cache Compression", 2006).
 *
 *   width      u8       bits per number, 0..32; 0x80 or 0x40 is added if some numbers need more bits
 *   packed     u8[]     16 * width bytes: the low bits of all numbers
 *   count      u8       number of exceptions, the numbers that need more bits; this and the next two rows only with 0x80
 *   indexes    u8[]     the indexes of the exceptions among the 128 numbers
 *   highs      varint*  the bits of the exceptions above `width`
 *   bytes      u8       length in bytes of the string that follows; this and the next row only with 0x40
 *   string     u8[]     a string of bits, the lowest bit of the first byte first. It has, for each number, n one bits and
 *                       a zero bit, where n is the number shifted right by `width` (Rice code). Zeros at the end are left out
 *
 * The high bits are stored either as a list (0x80) or as a string of bits (0x40), whichever is shorter. The
 * list is shorter if only a few numbers are much larger than the others. The string is shorter if the numbers
 * vary widely, as the gaps between places do.
 *
 * Packed numbers lie in four lanes: number 4i + j is the i-th of lane j, and the k-th 32-bit word of lane j is
 * word 4k + j. So one 128-bit instruction of the search kernel unpacks four numbers at once.
 *
 * Example: of 128 numbers the sixth is 9 and all others are 1. With a list of exceptions they are packed
 * as  81, sixteen bytes FF, 01 05 04. With a string, which would be chosen only if more of them were greater,
 * they are  41, sixteen bytes FF, 02 E0 01.
 *
 * The kernel that encodes postings does the packing: assembly/pack.ts.
 */
export const PACKED_COUNT = 128;

const LISTED = 0x80;
const COUNTED = 0x40;
const LANES = 4;
const PER_LANE = PACKED_COUNT / LANES;

const words = new Uint32Array(PACKED_COUNT);
const packedBytes = new Uint8Array(words.buffer);

/** Unpacks 128 numbers into `out`. Returns the offset after the block. */
export function unpackBlock(bytes: Uint8Array, from: number, out: Uint32Array): number {
  const head = bytes[from]!;
  const width = head & ~(LISTED | COUNTED);
  unpackLanes(bytes, from + 1, width, out);
  const at = from + 1 + 16 * width;
  if (head & COUNTED) return countUp(bytes, at, width, out);
  return head & LISTED ? patch(bytes, at, width, out) : at;
}

function unpackLanes(bytes: Uint8Array, from: number, width: number, out: Uint32Array): void {
  if (width === 0) {
    out.fill(0, 0, PACKED_COUNT);
    return;
  }
  packedBytes.set(bytes.subarray(from, from + 16 * width));
  const mask = width === 32 ? -1 : (1 << width) - 1;
  let word = 0;
  let shift = 0;
  for (let i = 0; i < PER_LANE; i++) {
    for (let lane = 0; lane < LANES; lane++) {
      let value = words[word + lane]! >>> shift;
      if (shift + width > 32) value |= words[word + LANES + lane]! << (32 - shift);
      out[i * LANES + lane] = value & mask;
    }
    shift += width;
    if (shift >= 32) {
      shift -= 32;
      word += LANES;
    }
  }
}

function patch(bytes: Uint8Array, from: number, width: number, out: Uint32Array): number {
  const count = bytes[from]!;
  let at = from + 1 + count;
  for (let i = 0; i < count; i++) {
    let high = 0;
    let shift = 0;
    let byte = 0;
    do {
      byte = bytes[at++]!;
      high |= (byte & 0x7f) << shift;
      shift += 7;
    } while (byte >= 0x80);
    out[bytes[from + 1 + i]! & 0x7f]! |= high << width;
  }
  return at;
}

/**
 * Adds the high bits that are stored as a string of bits to the 128 numbers in `out`. The string has, for
 * each number, n 1 bits and then a 0 bit, where n is the value of the number's high bits. So each 1 bit adds
 * 1 << `width` to the number whose index is the count of 0 bits before the 1 bit. Returns the offset after
 * the string.
 */
function countUp(bytes: Uint8Array, from: number, width: number, out: Uint32Array): number {
  const unit = 2 ** width;
  const end = from + 1 + bytes[from]!;
  let before = 0;
  for (let at = from + 1; at < end; at++, before += 8) {
    for (let bits = bytes[at]!; bits !== 0; bits &= bits - 1, before--) {
      out[(before + 31 - Math.clz32(bits & -bits)) & 0x7f]! += unit;
    }
  }
  return end;
}
