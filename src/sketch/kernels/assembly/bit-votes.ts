/**
 * Counts, for each of 32 bit positions, in how many hashes that bit is set.
 *
 * Counting bit by bit would take 32 additions per hash. Here the counters are bit-sliced: plane p is a vector
 * that has bit p of all counters. A hash is added to plane 0, and the carries are added to the next plane, as
 * in binary addition. Eight vectors of four hashes are added at a time (the method of Harley and Seal), so that
 * only one carry reaches the planes above the third. The counts are exact for any number of hashes.
 */

const PLANES: u32 = 32;

/**
 * Clears the planes (the bit counters) and counts the bits of `count` hashes. `planes` is the address of room
 * for 32 vectors. The hashes must be padded with zeros to a multiple of four.
 */
export function countVotes(hashes: usize, count: u32, planes: usize): void {
  memory.fill(planes, 0, PLANES << 4);
  const padded = (count + 3) & ~3;
  memory.fill(hashes + (count << 2), 0, (padded - count) << 2);
  const end = hashes + (padded << 2);
  let ones = i32x4.splat(0);
  let twos = i32x4.splat(0);
  let fours = i32x4.splat(0);
  let at = hashes;
  for (; at + 128 <= end; at += 128) {
    let a = v128.load(at);
    let b = v128.load(at, 16);
    let half = v128.xor(ones, a);
    let twosA = v128.or(v128.and(ones, a), v128.and(half, b));
    ones = v128.xor(half, b);
    a = v128.load(at, 32);
    b = v128.load(at, 48);
    half = v128.xor(ones, a);
    let twosB = v128.or(v128.and(ones, a), v128.and(half, b));
    ones = v128.xor(half, b);
    half = v128.xor(twos, twosA);
    const foursA = v128.or(v128.and(twos, twosA), v128.and(half, twosB));
    twos = v128.xor(half, twosB);
    a = v128.load(at, 64);
    b = v128.load(at, 80);
    half = v128.xor(ones, a);
    twosA = v128.or(v128.and(ones, a), v128.and(half, b));
    ones = v128.xor(half, b);
    a = v128.load(at, 96);
    b = v128.load(at, 112);
    half = v128.xor(ones, a);
    twosB = v128.or(v128.and(ones, a), v128.and(half, b));
    ones = v128.xor(half, b);
    half = v128.xor(twos, twosA);
    const foursB = v128.or(v128.and(twos, twosA), v128.and(half, twosB));
    twos = v128.xor(half, twosB);
    half = v128.xor(fours, foursA);
    const eights = v128.or(v128.and(fours, foursA), v128.and(half, foursB));
    fours = v128.xor(half, foursB);
    carry(eights, planes + (3 << 4), planes);
  }
  v128.store(planes, ones);
  v128.store(planes, twos, 16);
  v128.store(planes, fours, 32);
  for (; at < end; at += 16) carry(v128.load(at), planes, planes);
}

function carry(vector: v128, from: usize, planes: usize): void {
  let rest = vector;
  for (let at = from; v128.any_true(rest) && at < planes + (PLANES << 4); at += 16) {
    const old = v128.load(at);
    v128.store(at, v128.xor(old, rest));
    rest = v128.and(rest, old);
  }
}

/** Returns a 32-bit number in which a bit is set if it is set in more than half of the `total` hashes. */
export function majority(total: u32, planes: usize): u32 {
  let word: u32 = 0;
  for (let bit: u32 = 0; bit < 32; bit++) {
    let votes: u32 = 0;
    for (let lane: u32 = 0; lane < 4; lane++) votes += countOf(planes + (lane << 2), bit);
    if (votes * 2 > total) word |= 1 << bit;
  }
  return word;
}

function countOf(lane: usize, bit: u32): u32 {
  let count: u32 = 0;
  for (let plane: u32 = 0; plane < 24; plane++) {
    count |= ((load<u32>(lane + (plane << 4)) >> bit) & 1) << plane;
  }
  return count;
}
