/**
 * Unpacks blocks of 128 numbers, four at a time; `../../postings/packing.ts` describes the bytes.
 *
 * Up to 16 bytes after the end of a block are read, so the memory must extend that far.
 */

/** The address after the block or number that was read last. */
export let end: usize = 0;

/** Unpacks the block at `from` to 128 numbers at `to`, and sets `end` to the address after the block. */
export function unpack(from: usize, to: usize): void {
  const head: u32 = load<u8>(from);
  const width: i32 = head & 0x3f;
  unpackLanes(from + 1, width, to);
  end = from + 1 + (width << 4);
  if (head & 0x40) countUp(width, to);
  else if (head & 0x80) patch(width, to);
}

/**
 * Finds the end of the packed block at `from` without unpacking the block, and sets `end` to the address after
 * it.
 */
export function skip(from: usize): void {
  const head: u32 = load<u8>(from);
  end = from + 1 + ((head & 0x3f) << 4);
  if (head < 0x40) return;
  const count: u32 = load<u8>(end);
  if (head & 0x40) {
    end += 1 + count;
    return;
  }
  end += 1 + count;
  for (let i: u32 = 0; i < count; i++) varint(end);
}

/** Returns the varint at `from`, and sets `end` to the address after it. */
export function varint(from: usize): u32 {
  let at = from;
  let byte: u32 = load<u8>(at++);
  let value = byte & 0x7f;
  for (let shift: u32 = 7; byte >= 0x80; shift += 7) {
    byte = load<u8>(at++);
    value |= (byte & 0x7f) << shift;
  }
  end = at;
  return value;
}

/**
 * Converts 128 gaps to document numbers, in place. `at` is the address of the gaps, each stored minus 1. The
 * first gap is the distance from the document `before` to the first document.
 */
export function sumGaps(at: usize, before: u32): void {
  const zero = i32x4.splat(0);
  const one = i32x4.splat(1);
  let last = i32x4.splat(before);
  for (let to = at; to < at + 512; to += 16) {
    let v = i32x4.add(v128.load(to), one);
    v = i32x4.add(v, v128.shuffle<i32>(zero, v, 0, 4, 5, 6));
    v = i32x4.add(v, v128.shuffle<i32>(zero, v, 0, 0, 4, 5));
    v = i32x4.add(v, last);
    v128.store(to, v);
    last = v128.shuffle<i32>(v, v, 3, 3, 3, 3);
  }
}

/** Replaces each of the 128 numbers at the address `at` by (number + 1) << shift. */
export function addOne(at: usize, shift: i32): void {
  const one = i32x4.splat(1);
  for (let to = at; to < at + 512; to += 16) {
    v128.store(to, i32x4.shl(i32x4.add(v128.load(to), one), shift));
  }
}

function unpackLanes(from: usize, width: i32, to: usize): void {
  const mask = i32x4.splat(width === 32 ? -1 : (1 << width) - 1);
  let word = v128.load(from);
  let shift: i32 = 0;
  let at = from;
  for (let out = to; out < to + 512; out += 16) {
    let v = i32x4.shr_u(word, shift);
    shift += width;
    if (shift >= 32) {
      shift -= 32;
      at += 16;
      word = v128.load(at);
      if (shift > 0) v = v128.or(v, i32x4.shl(word, width - shift));
    }
    v128.store(out, v128.and(v, mask));
  }
}

function patch(width: i32, to: usize): void {
  const indexes = end + 1;
  const count: u32 = load<u8>(end);
  end = indexes + count;
  for (let i: u32 = 0; i < count; i++) {
    const target = to + ((<u32>load<u8>(indexes + i) & 0x7f) << 2);
    store<u32>(target, load<u32>(target) | (varint(end) << width));
  }
}

/**
 * Adds the high bits of the 128 numbers at `to`, which are stored as a string of bits. The string has, for
 * each number, n 1 bits and then a 0 bit, where n is the value of the number's high bits. So each 1 bit adds
 * 1 << `width` to the number whose index is the count of 0 bits before the 1 bit.
 */
function countUp(width: i32, to: usize): void {
  const unit: u32 = 1 << width;
  let at = end + 1;
  end = at + load<u8>(end);
  let before: i32 = 0;
  for (; at < end; at += 8, before += 64) {
    let bits = load<u64>(at);
    if (end - at < 8) bits &= (1 << ((<u64>(end - at)) << 3)) - 1;
    for (; bits !== 0; bits &= bits - 1, before--) {
      const target = to + ((<usize>(before + <i32>ctz(bits)) & 0x7f) << 2);
      store<u32>(target, load<u32>(target) + unit);
    }
  }
}
