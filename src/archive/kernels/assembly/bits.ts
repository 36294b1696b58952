/**
 * Writes bits, the lowest first, as DEFLATE packs them. The loop that writes tokens copies the three variables
 * to locals, since accessing a global is a memory access.
 */

export let to: usize = 0;
export let waiting: u64 = 0;
/** The number of waiting bits; 7 at most. */
export let count: u64 = 0;

export function startBits(at: usize): void {
  setBits(at, 0, 0);
}

export function setBits(at: usize, bits: u64, length: u64): void {
  to = at;
  waiting = bits;
  count = length;
}

/** Writes at most 57 bits at once. */
export function writeBits(bits: u64, length: u64): void {
  waiting |= bits << count;
  count += length;
  store<u64>(to, waiting);
  to += usize(count >> 3);
  waiting >>= count & ~7;
  count &= 7;
}

/** Returns the position after the last byte. */
export function finishBits(): usize {
  return count > 0 ? to + 1 : to;
}
