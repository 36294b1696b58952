/**
 * The inner loops of PageRank in AssemblyScript. `rank-memory.ts` lays out the memory, `rank-columns.ts`
 * calls these functions, `tiles-format.ts` describes the edges. Arguments that end in `At` are byte
 * addresses.
 *
 * A column of the graph has all edges to a range of targets. The range is so small that the sums of the targets
 * stay in the second-level cache and may be updated in any order. A tile has the edges of a column whose
 * sources are in one block. Within a tile, both ends of an edge are 16-bit offsets in one word, and edges are
 * sorted by source. Therefore the shares of the sources are read sequentially. There is no inner loop over the
 * links of a page, at whose end a branch would be mispredicted.
 *
 * Only the thread that works on a column changes its sums, so threads need no locks. The loops are unrolled
 * by hand because they are hot.
 */

/**
 * Adds the rank that flows over the edges of one tile to the sums of a column. The tile has `count` edges, each
 * a word `source << 16 | target`.
 */
export function addTile(wordsAt: usize, count: usize, sharesAt: usize, sumsAt: usize, weight: f32): void {
  const unrolledEnd = wordsAt + ((count & ~3) << 2);
  const end = wordsAt + (count << 2);
  let at = wordsAt;
  for (; at < unrolledEnd; at += 16) {
    const first = load<u32>(at);
    const second = load<u32>(at, 4);
    const third = load<u32>(at, 8);
    const fourth = load<u32>(at, 12);
    const a = load<f32>(sharesAt + ((first >> 16) << 2)) * weight;
    const b = load<f32>(sharesAt + ((second >> 16) << 2)) * weight;
    const c = load<f32>(sharesAt + ((third >> 16) << 2)) * weight;
    const d = load<f32>(sharesAt + ((fourth >> 16) << 2)) * weight;
    const toA = sumsAt + ((first & 0xffff) << 2);
    store<f32>(toA, load<f32>(toA) + a);
    const toB = sumsAt + ((second & 0xffff) << 2);
    store<f32>(toB, load<f32>(toB) + b);
    const toC = sumsAt + ((third & 0xffff) << 2);
    store<f32>(toC, load<f32>(toC) + c);
    const toD = sumsAt + ((fourth & 0xffff) << 2);
    store<f32>(toD, load<f32>(toD) + d);
  }
  for (; at < end; at += 4) {
    const word = load<u32>(at);
    const to = sumsAt + ((word & 0xffff) << 2);
    store<f32>(to, load<f32>(to) + load<f32>(sharesAt + ((word >> 16) << 2)) * weight);
  }
}

/**
 * Turns the sums of a column into ranks, and sets the sums to 0. The new rank of a node is `damping` times its
 * sum, plus `mass` times its share of the restarts. The array at `restartsAt` has these shares; if `restartsAt`
 * is 0, each share is 1. Also writes the share that each node passes on per unit of link weight in the next
 * step. At `resultsAt` it writes three f64 numbers: the total change of the ranks, the total rank of nodes with
 * links, and the total rank of all nodes.
 *
 * Works on four nodes at a time. `count` is rounded up: every array is padded with zeros to a multiple of
 * four.
 */
export function finishColumn(
  count: usize,
  sumsAt: usize,
  ranksAt: usize,
  inversesAt: usize,
  sharesAt: usize,
  restartsAt: usize,
  mass: f32,
  damping: f32,
  resultsAt: usize,
): void {
  const zero = f32x4.splat(0);
  const massOfFour = f32x4.splat(mass);
  const dampingOfFour = f32x4.splat(damping);
  let distance = f64x2.splat(0);
  let handed = f64x2.splat(0);
  let total = f64x2.splat(0);
  for (let offset: usize = 0, end: usize = count << 2; offset < end; offset += 16) {
    let base = massOfFour;
    if (restartsAt !== 0) base = f32x4.mul(base, v128.load(restartsAt + offset));
    let rank = f32x4.add(base, f32x4.mul(dampingOfFour, v128.load(sumsAt + offset)));
    if (offset + 16 > end) rank = v128.and(rank, lanesBelow((end - offset) >> 2));
    const inverse = v128.load(inversesAt + offset);
    const change = f32x4.abs(f32x4.sub(rank, v128.load(ranksAt + offset)));
    const linked = v128.and(rank, f32x4.gt(inverse, zero));
    v128.store(sumsAt + offset, zero);
    v128.store(ranksAt + offset, rank);
    v128.store(sharesAt + offset, f32x4.mul(rank, inverse));
    distance = f64x2.add(distance, sumOfPairs(change));
    handed = f64x2.add(handed, sumOfPairs(linked));
    total = f64x2.add(total, sumOfPairs(rank));
  }
  store<f64>(resultsAt, f64x2.extract_lane(distance, 0) + f64x2.extract_lane(distance, 1));
  store<f64>(resultsAt, f64x2.extract_lane(handed, 0) + f64x2.extract_lane(handed, 1), 8);
  store<f64>(resultsAt, f64x2.extract_lane(total, 0) + f64x2.extract_lane(total, 1), 16);
}

/** Converts four f32 numbers to f64 and adds them in pairs, so that two sums result. */
function sumOfPairs(values: v128): v128 {
  const high = i8x16.shuffle(values, values, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7);
  return f64x2.add(f64x2.promote_low_f32x4(values), f64x2.promote_low_f32x4(high));
}

/** Returns a vector of four lanes in which all bits of the first `count` lanes are 1 and all others are 0. */
function lanesBelow(count: usize): v128 {
  return i32x4.lt_s(i32x4(0, 1, 2, 3), i32x4.splat(<i32>count));
}
