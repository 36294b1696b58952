/**
 * Writes a stream of bits, lowest bit first, as DEFLATE packs them. The loop that writes tokens copies these
 * global variables to local ones, because each access to a global variable is a memory access.
 */

export let to: usize = 0;
export let waiting: u64 = 0;
/** The number of bits, from 0 to 7, that are not written yet because they do not fill a byte. */
export let count: u64 = 0;

export function startBits(at: usize): void {
  setBits(at, 0, 0);
}

export function setBits(at: usize, bits: u64, length: u64): void {
  to = at;
  waiting = bits;
  count = length;
}

/** Writes the lowest `length` bits of `bits`; at most 57 in one call. */
export function writeBits(bits: u64, length: u64): void {
  waiting |= bits << count;
  count += length;
  store<u64>(to, waiting);
  to += usize(count >> 3);
  waiting >>= count & ~7;
  count &= 7;
}

/** Writes the last bits and returns the address after the last byte of the stream. */
export function finishBits(): usize {
  return count > 0 ? to + 1 : to;
}
