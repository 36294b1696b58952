/**
 * Sorts the terms by their bytes: quicksort over their first eight bytes as a number; the rest is compared
 * only if these are equal. An entry is `key u64, term u32`, 16 bytes apart.
 */
import { recordOf, termCount } from './terms';

const ENTRY: usize = 16;
const FEW: usize = 16 * ENTRY;

/** Writes the numbers of all terms at `to`, in order; `scratch` has room for 16 bytes per term. */
export function sortTerms(scratch: usize, to: usize): void {
  for (let term: u32 = 0; term < termCount; term++) {
    const entry = scratch + <usize>term * ENTRY;
    store<u64>(entry, bswap(load<u64>(recordOf(term) + 8)));
    store<u32>(entry, term, 8);
  }
  sort(scratch, scratch + <usize>termCount * ENTRY);
  for (let at: u32 = 0; at < termCount; at++) {
    store<u32>(to + ((<usize>at) << 2), load<u32>(scratch + <usize>at * ENTRY, 8));
  }
}

/** Recurses into the shorter part and loops over the longer one, so the stack stays shallow. */
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

/** Hoare's partition: entries before the returned address are not greater than the middle entry. */
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
  if (keyA !== keyB) return keyA < keyB;
  const recordA = recordOf(a);
  const recordB = recordOf(b);
  const lengthA = load<u32>(recordA, 4);
  const lengthB = load<u32>(recordB, 4);
  const common = min(lengthA, lengthB);
  for (let at: u32 = 8; at < common; at += 8) {
    const wordA = bswap(load<u64>(recordA + at, 8));
    const wordB = bswap(load<u64>(recordB + at, 8));
    if (wordA !== wordB) return wordA < wordB;
  }
  return lengthA < lengthB;
}
