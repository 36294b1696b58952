/**
 * Packs blocks of 128 numbers, four at a time; `../../postings/packing.ts` describes the bytes, and unpack.ts
 * reads them.
 */

const COUNT: u32 = 128;
const BYTES: usize = 512;
const LISTED: u32 = 0x80;
const COUNTED: u32 = 0x40;
/**
 * The approximate size in bits of an exception, which is a number with more bits than the width of the block.
 * An exception takes a byte for its index and usually one byte for its high bits.
 */
const EXCEPTION_BITS: u32 = 16;
/**
 * The maximum number of bits in a string of high bits. The string has at most 255 bytes, because its length is
 * stored in one byte.
 */
const MAX_STRING_BITS: u32 = 255 << 3;

/**
 * The address of 33 counters: for each width from 0 to 32 bits, the number of values in the block with this
 * width.
 */
let widthCounts: usize = 0;

export function setUpPacking(scratch: usize): void {
  widthCounts = scratch;
}

/**
 * Packs the 128 numbers at the address `values`, and writes the block to the address `to`. Returns the address
 * after the block. If `mayCount`, the high bits may be stored as a string of bits; this is used only for the
 * gaps between positions.
 */
export function pack(values: usize, to: usize, mayCount: bool): usize {
  const widest = 32 - <u32>clz(allBits(values));
  if (widest === 0) {
    store<u8>(to, 0);
    return to + 1;
  }
  const width = chooseListed(values, widest);
  if (mayCount && chooseCounted(values)) return packCounted(values, countedWidth, to);
  const end = packLanes(values, width, to + 1);
  store<u8>(to, <u8>width);
  if (width === widest) return end;
  store<u8>(to, <u8>(width | LISTED));
  return listExceptions(values, width, end);
}

function allBits(values: usize): u32 {
  let all = v128.load(values);
  for (let at = values + 16; at < values + BYTES; at += 16) all = v128.or(all, v128.load(at));
  all = v128.or(all, v128.shuffle<i32>(all, all, 2, 3, 0, 1));
  return <u32>(i32x4.extract_lane(all, 0) | i32x4.extract_lane(all, 1));
}

let listedBits: u32 = 0;

/**
 * Returns the width in bits at which the packed block, including its list of exceptions, is smallest. `widest`
 * is the width of the largest number.
 */
function chooseListed(values: usize, widest: u32): u32 {
  memory.fill(widthCounts, 0, 33 << 2);
  for (let at = values; at < values + BYTES; at += 4) {
    const slot = widthCounts + ((32 - clz(load<u32>(at))) << 2);
    store<u32>(slot, load<u32>(slot) + 1);
  }
  let best = widest;
  let exceptions: u32 = 0;
  listedBits = COUNT * widest;
  for (let width = widest; width-- > 0; ) {
    exceptions += load<u32>(widthCounts + ((width + 1) << 2));
    const highBytes = (widest - width + 6) / 7 - 1;
    const bits = COUNT * width + 8 + exceptions * (EXCEPTION_BITS + 4 * highBytes);
    if (bits >= listedBits) continue;
    listedBits = bits;
    best = width;
  }
  return best;
}

let countedWidth: u32 = 0;

/**
 * Finds the best width for a block that stores high bits as a string of bits. Returns true if this block is
 * better than one with a list of exceptions. The best width is near the binary logarithm of the mean of the
 * numbers. In this comparison, a 1 bit of the string counts as one and a half bits, because the reader needs a
 * step for each 1 bit.
 */
function chooseCounted(values: usize): bool {
  const mean = sumAbove(values, 0) >> 7;
  const first: u32 = mean === 0 ? 0 : <u32>(63 - clz(mean));
  let best = listedBits;
  let isBetter = false;
  for (let width: u32 = first === 0 ? 0 : first - 1; width < first + 3; width++) {
    const ones = sumAbove(values, width);
    if (ones + COUNT > MAX_STRING_BITS) continue;
    const bits = COUNT * width + COUNT + 8 + <u32>ones + (<u32>ones >> 1);
    if (bits >= best) continue;
    best = bits;
    countedWidth = width;
    isBetter = true;
  }
  return isBetter;
}

/** Returns the sum of the high bits of the 128 numbers: each number shifted right by `width`. */
function sumAbove(values: usize, width: u32): u64 {
  let sums = i64x2.splat(0);
  for (let at = values; at < values + BYTES; at += 16) {
    const high = i32x4.shr_u(v128.load(at), width);
    sums = i64x2.add(sums, i64x2.add(i64x2.extend_low_i32x4_u(high), i64x2.extend_high_i32x4_u(high)));
  }
  return <u64>(i64x2.extract_lane(sums, 0) + i64x2.extract_lane(sums, 1));
}

function packLanes(values: usize, width: u32, to: usize): usize {
  if (width === 0) return to;
  const mask = i32x4.splat(width === 32 ? -1 : (1 << width) - 1);
  let word = i32x4.splat(0);
  let shift: u32 = 0;
  let out = to;
  for (let at = values; at < values + BYTES; at += 16) {
    const low = v128.and(v128.load(at), mask);
    word = v128.or(word, i32x4.shl(low, shift));
    shift += width;
    if (shift < 32) continue;
    shift -= 32;
    v128.store(out, word);
    out += 16;
    word = shift > 0 ? i32x4.shr_u(low, width - shift) : i32x4.splat(0);
  }
  return out;
}

function listExceptions(values: usize, width: u32, to: usize): usize {
  let at = to + 1;
  for (let i: u32 = 0; i < COUNT; i++) {
    if (load<u32>(values + (i << 2)) >> width !== 0) store<u8>(at++, <u8>i);
  }
  const count = <u32>(at - to - 1);
  store<u8>(to, <u8>count);
  for (let i: u32 = 0; i < count; i++) {
    at = putVarint(at, load<u32>(values + ((<usize>load<u8>(to + 1 + i)) << 2)) >> width);
  }
  return at;
}

/**
 * Writes a block that stores high bits as a string of bits: first the low `width` bits of the 128 numbers, then
 * the string. The string has, for each number, n 1 bits and a 0 bit, where n is the number shifted right by
 * `width`.
 */
function packCounted(values: usize, width: u32, to: usize): usize {
  store<u8>(to, <u8>(width | COUNTED));
  const lengthAt = packLanes(values, width, to + 1);
  const string = lengthAt + 1;
  let bit: u32 = 0;
  let bitEnd: u32 = 0;
  memory.fill(string, 0, 256);
  for (let at = values; at < values + BYTES; at += 4, bit++) {
    for (let high = load<u32>(at) >> width; high > 0; high--, bit++) {
      const byte = string + (bit >> 3);
      store<u8>(byte, load<u8>(byte) | ((<u8>1) << (<u8>(bit & 7))));
      bitEnd = bit + 1;
    }
  }
  const length = (bitEnd + 7) >> 3;
  store<u8>(lengthAt, <u8>length);
  return string + length;
}

/** Writes a varint at `to`, and returns the address after it. */
export function putVarint(to: usize, value: u32): usize {
  let at = to;
  let rest = value;
  for (; rest >= 0x80; rest >>= 7) store<u8>(at++, <u8>(rest | 0x80));
  store<u8>(at++, <u8>rest);
  return at;
}
