/**
 * Sorts terms by their UTF-16 units, as JavaScript compares strings. It is a quicksort on the first eight bytes
 * as a number; the other bytes are compared only if these are equal. An entry is `key u64, term u32`, and takes
 * 16 bytes.
 *
 * UTF-8 bytes sort like UTF-16 units, with one exception: in UTF-16, characters outside the basic plane come
 * before U+E000 to U+FFFF. `inUnits` changes the first bytes of these characters so that they sort the same
 * way.
 */
import { recordOf, termCount } from './terms';

const ENTRY: usize = 16;
const FEW: usize = 16 * ENTRY;
/** The highest bit of each of eight bytes. It is 0 in ASCII characters. */
const HIGH_BITS: u64 = ((<u64>0x80808080) << 32) | 0x80808080;

/** Writes the numbers of all terms, sorted by text, to `to`. `scratch` has room for 16 bytes per term. */
export function sortTerms(scratch: usize, to: usize): void {
  for (let term: u32 = 0; term < termCount; term++) {
    const entry = scratch + <usize>term * ENTRY;
    store<u64>(entry, inUnits(bswap(load<u64>(recordOf(term) + 8))));
    store<u32>(entry, term, 8);
  }
  sort(scratch, scratch + <usize>termCount * ENTRY);
  for (let at: u32 = 0; at < termCount; at++) {
    store<u32>(to + ((<usize>at) << 2), load<u32>(scratch + <usize>at * ENTRY, 8));
  }
}

/**
 * Sorts entries by quicksort. Recurses into the shorter part and loops over the longer one, so that the stack
 * stays small.
 */
function sort(first: usize, end: usize): void {
  let from = first;
  let to = end;
  while (to - from > FEW) {
    const middle = partition(from, to);
    if (middle - from < to - middle) {
      sort(from, middle);
      from = middle;
    } else {
      sort(middle, to);
      to = middle;
    }
  }
  insert(from, to);
}

/**
 * Hoare's partition: divides the entries into two parts, and returns the address of the second one. No entry of
 * the first part is greater than the pivot (the middle entry), and no entry of the second part is less.
 */
function partition(from: usize, to: usize): usize {
  const middle = from + ((to - from) / ENTRY / 2) * ENTRY;
  const key = load<u64>(middle);
  const term = load<u32>(middle, 8);
  let low = from;
  let high = to - ENTRY;
  while (low <= high) {
    while (isLess(load<u64>(low), load<u32>(low, 8), key, term)) low += ENTRY;
    while (isLess(key, term, load<u64>(high), load<u32>(high, 8))) high -= ENTRY;
    if (low > high) break;
    swap(low, high);
    low += ENTRY;
    high -= ENTRY;
  }
  return low;
}

function insert(from: usize, to: usize): void {
  for (let at = from + ENTRY; at < to; at += ENTRY) {
    for (let back = at; back > from; back -= ENTRY) {
      const before = back - ENTRY;
      if (!isLess(load<u64>(back), load<u32>(back, 8), load<u64>(before), load<u32>(before, 8))) break;
      swap(before, back);
    }
  }
}

function swap(a: usize, b: usize): void {
  const kept = v128.load(a);
  v128.store(a, v128.load(b));
  v128.store(b, kept);
}

function isLess(keyA: u64, a: u32, keyB: u64, b: u32): bool {
  return keyA !== keyB ? keyA < keyB : compareFrom(8, recordOf(a), recordOf(b)) < 0;
}

/** Compares the texts of two records by their UTF-16 units. */
export function compareRecords(a: usize, b: usize): i32 {
  return compareFrom(0, a, b);
}

/** Compares two texts whose first `from` bytes are equal. `from` is a multiple of 8. */
function compareFrom(from: u32, a: usize, b: usize): i32 {
  const lengthA = load<u32>(a, 4);
  const lengthB = load<u32>(b, 4);
  const common = min(lengthA, lengthB);
  for (let at = from; at < common; at += 8) {
    const wordA = inUnits(bswap(load<u64>(a + at, 8)));
    const wordB = inUnits(bswap(load<u64>(b + at, 8)));
    if (wordA !== wordB) return wordA < wordB ? -1 : 1;
  }
  return <i32>lengthA - <i32>lengthB;
}

/**
 * Changes the bytes of a sort key so that UTF-8 sorts like UTF-16: EE and EF become F3 and F4, and F0 to F4
 * become EE to F2.
 */
function inUnits(key: u64): u64 {
  if ((key & HIGH_BITS) === 0) return key;
  let changed: u64 = 0;
  for (let shift: u64 = 0; shift < 64; shift += 8) {
    const byte = (key >> shift) & 0xff;
    changed |= (byte < 0xee ? byte : byte < 0xf0 ? byte + 5 : byte - 2) << shift;
  }
  return changed;
}
