/**
 * Computes the dot products of a query vector, with 8-bit numbers, and all vectors of a segment, with 4-bit
 * numbers.
 *
 * Sixteen bytes have 32 signed numbers: the low halves of the bytes are the first 16, the high halves the
 * others. With its highest bit inverted, a half n is the number n - 8, so a dot product is Σ q·n - 8·Σ q.
 * Products are added in 16 bits, which is exact for eight steps: 8 · 2 · 128 · 15 < 2^15.
 */

/**
 * Writes to `to`, for each of the `count` vectors of a segment, `step` times its dot product with the vector at
 * `query`. A vector of the segment takes `bytes` bytes.
 */
export function compare(vectors: usize, count: u32, bytes: u32, step: i32, query: usize, to: usize): void {
  const offset = 8 * sumOf(query, bytes << 1);
  for (let doc: u32 = 0; doc < count; doc++) {
    const product = products(vectors + <usize>doc * bytes, query, bytes) - offset;
    store<i32>(to + ((<usize>doc) << 2), product * step);
  }
}

export function dot(vector: usize, query: usize, bytes: u32): i32 {
  return products(vector, query, bytes) - 8 * sumOf(query, bytes << 1);
}

/**
 * Writes the code of each vector. The code has one bit per number of the vector: 1 if the number is negative.
 * The codes of vectors with similar directions differ in few bits.
 */
export function writeCodes(vectors: usize, count: u32, bytes: u32, codes: usize): void {
  const end = vectors + <usize>count * bytes;
  let to = codes;
  for (let at = vectors; at < end; at += 16) {
    const halves = v128.load(at);
    store<u32>(to, i8x16.bitmask(i8x16.shl(halves, 4)) | (i8x16.bitmask(halves) << 16));
    to += 4;
  }
}

/**
 * Does the same as `compare` for the vectors whose codes differ in the fewest bits from the code of the query,
 * at least `keep` vectors. Writes 0 for all other vectors. `histogram` has a u32 for each possible number of
 * differing bits, all 0 at first. `bytes` must be a multiple of 64.
 */
export function compareClosest(
  vectors: usize,
  codes: usize,
  count: u32,
  bytes: u32,
  step: i32,
  query: usize,
  queryCode: usize,
  histogram: usize,
  keep: u32,
  to: usize,
): void {
  const codeBytes = bytes >> 2;
  const end = to + ((<usize>count) << 2);
  let code = codes;
  for (let place = to; place < end; place += 4) {
    let distance: u32 = 0;
    for (let at: u32 = 0; at < codeBytes; at += 16)
      distance += differences(code + at, queryCode + at) + differences(code + at + 8, queryCode + at + 8);
    const bin = histogram + ((<usize>distance) << 2);
    store<u32>(bin, load<u32>(bin) + 1);
    store<u32>(place, distance);
    code += codeBytes;
  }
  let most: u32 = 0;
  for (
    let found = load<u32>(histogram);
    found < keep && most < bytes << 1;
    found += load<u32>(histogram + ((<usize>most) << 2))
  )
    most++;
  const offset = 8 * sumOf(query, bytes << 1);
  for (let doc: u32 = 0; doc < count; doc++) {
    const place = to + ((<usize>doc) << 2);
    const isClose = load<u32>(place) <= most;
    store<i32>(place, isClose ? (products(vectors + <usize>doc * bytes, query, bytes) - offset) * step : 0);
  }
}

/** Returns the number of bits in which the eight bytes at `a` differ from the eight bytes at `b`. */
function differences(a: usize, b: usize): u32 {
  return <u32>popcnt<u64>(load<u64>(a) ^ load<u64>(b));
}

function sumOf(query: usize, count: u32): i32 {
  let sum = 0;
  for (let i: u32 = 0; i < count; i++) sum += load<i8>(query + i);
  return sum;
}

/**
 * Returns the dot product of the query with a vector whose 4-bit numbers are read as 0 to 15. Uses a relaxed
 * SIMD instruction. Its result is the same on every machine, because its second operand is below 16.
 */
function products(vector: usize, query: usize, bytes: u32): i32 {
  const mask = i8x16.splat(15);
  let sum = i32x4.splat(0);
  let at: usize = 0;
  while (at < bytes) {
    const end = min(at + 64, <usize>bytes);
    let short = i16x8.splat(0);
    for (; at < end; at += 16) {
      const halves = v128.xor(v128.load(vector + at), i8x16.splat(-120));
      const numbers = query + (at << 1);
      const low = v128.and(halves, mask);
      const high = v128.and(i16x8.shr_u(halves, 4), mask);
      short = i16x8.add(short, i16x8.relaxed_dot_i8x16_i7x16_s(v128.load(numbers), low));
      short = i16x8.add(short, i16x8.relaxed_dot_i8x16_i7x16_s(v128.load(numbers, 16), high));
    }
    sum = i32x4.add(sum, i32x4.extadd_pairwise_i16x8_s(short));
  }
  return (
    i32x4.extract_lane(sum, 0) +
    i32x4.extract_lane(sum, 1) +
    i32x4.extract_lane(sum, 2) +
    i32x4.extract_lane(sum, 3)
  );
}
