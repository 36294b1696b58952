/**
 * 128 numbers in as many bits as most of them need (patched frame of reference; Zukowski and others,
 * "Super-Scalar RAM-CPU Cache Compression", 2006).
 *
 *   width      u8       bits per number, 0..32; 0x80 is added if exceptions follow
 *   packed     u8[]     16 * width bytes
 *   count      u8       of exceptions; only with 0x80
 *   indexes    u8[]     which of the numbers need more bits
 *   highs      varint*  their bits above `width`
 *
 * Packed numbers lie in four lanes: number 4i + j is the i-th of lane j, and the k-th 32-bit word of lane j is
 * word 4k + j. So one 128-bit instruction of the search kernel unpacks four numbers at once.
 *
 * 128 numbers that are 1, but for the sixth, which is 9, are  81, sixteen bytes FF, 01 05 04.
 */
import type { ByteWriter } from '../base/mod.ts';

export const PACKED_COUNT = 128;

const HAS_EXCEPTIONS = 0x80;
const LANES = 4;
const PER_LANE = PACKED_COUNT / LANES;
/** Bytes that an exception takes, about: its index, and most often one byte of high bits. */
const EXCEPTION_BITS = 16;

const words = new Uint32Array(PACKED_COUNT);
const packedBytes = new Uint8Array(words.buffer);
const widthCounts = new Uint32Array(33);

/** Appends the first 128 numbers of `values`. */
export function packBlock(values: Uint32Array, out: ByteWriter): void {
  let bits = 0;
  for (let i = 0; i < PACKED_COUNT; i++) bits |= values[i]!;
  const width = bestWidth(values, 32 - Math.clz32(bits));
  const exceptions = bits === 0 ? 0 : packLanes(values, width);
  out.u8(exceptions > 0 ? width | HAS_EXCEPTIONS : width);
  out.raw(packedBytes.subarray(0, 16 * width));
  if (exceptions > 0) writeExceptions(values, width, exceptions, out);
}

/** Reads 128 numbers into `out` and returns the position after them. */
export function unpackBlock(bytes: Uint8Array, from: number, out: Uint32Array): number {
  const width = bytes[from]! & ~HAS_EXCEPTIONS;
  unpackLanes(bytes, from + 1, width, out);
  const at = from + 1 + 16 * width;
  return bytes[from]! & HAS_EXCEPTIONS ? patch(bytes, at, width, out) : at;
}

/** The width with the fewest bits in all, exceptions included; no number has more than `widest`. */
function bestWidth(values: Uint32Array, widest: number): number {
  if (widest === 0) return 0;
  widthCounts.fill(0);
  for (let i = 0; i < PACKED_COUNT; i++) widthCounts[32 - Math.clz32(values[i]!)]!++;
  let best = widest;
  let bestBits = PACKED_COUNT * widest;
  let exceptions = 0;
  for (let width = widest - 1; width >= 0; width--) {
    exceptions += widthCounts[width + 1]!;
    const highBytes = Math.max(0, Math.ceil((widest - width) / 7) - 1);
    const bits = PACKED_COUNT * width + 8 + exceptions * (EXCEPTION_BITS + 4 * highBytes);
    if (bits < bestBits) {
      bestBits = bits;
      best = width;
    }
  }
  return best;
}

/** Fills `words` with the low bits of all numbers; returns how many have more. */
function packLanes(values: Uint32Array, width: number): number {
  words.fill(0, 0, LANES * width);
  const limit = width === 32 ? 0xffffffff : 2 ** width - 1;
  const mask = limit | 0;
  let exceptions = 0;
  let word = 0;
  let shift = 0;
  for (let i = 0; i < PACKED_COUNT; i += LANES) {
    for (let lane = 0; lane < LANES; lane++) {
      const value = values[i + lane]!;
      if (value > limit) exceptions++;
      words[word + lane]! |= (value & mask) << shift;
      if (shift + width > 32) words[word + LANES + lane] = (value & mask) >>> (32 - shift);
    }
    shift += width;
    if (shift >= 32) {
      shift -= 32;
      word += LANES;
    }
  }
  return exceptions;
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

function writeExceptions(values: Uint32Array, width: number, count: number, out: ByteWriter): void {
  out.u8(count);
  const scale = 2 ** width;
  for (let i = 0; i < PACKED_COUNT; i++) if (values[i]! >= scale) out.u8(i);
  for (let i = 0; i < PACKED_COUNT; i++) if (values[i]! >= scale) out.varint(Math.floor(values[i]! / scale));
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
