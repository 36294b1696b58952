/**
 * Self-attention of one text: output = softmax(Q·Kᵀ)·V for every head. The scale of the scores, 1/√(width of a
 * head), is part of the weights of Q.
 *
 *   projections  f32 [row][Q of all heads, K of all heads, V of all heads]
 *   output       f32 [row][all heads]
 *
 * Both products are computed in 16 bits with sums of 32 bits, which takes half the instructions of f32. The
 * scratch memory has these buffers for the current head. The number of rows is rounded up to a multiple of 8,
 * and the rows after the text are zero:
 *
 *   queries      i16 [row / 4][dimension / 2][row % 4][2]
 *   keys         i16 [dimension / 2][row][2]             two dimensions side by side: `dot_i16x8_s` adds pairs
 *   values       i16 [row / 2][dimension][2]             two rows side by side
 *   scores       f32 [4][row]
 *   parts        i16 [row / 2][4][2]                     probabilities, for four rows of Q, in units of 2^-15
 *
 * Neither sum overflows: queries and keys are within ±4095, and a head has at most 128 dimensions; the parts of
 * a row have the sum 2^15, and values are within ±32767.
 */

const QUERY_LIMIT: f32 = 4095;
const VALUE_LIMIT: f32 = 32767;
const PART_LIMIT: f32 = 32768;
const ROUNDING: f32 = 12582912;
/** Attention scores below this value are raised to it. Their probability is rounded to 0 either way. */
const LEAST_SCORE: f32 = -100;

/**
 * Computes the attention of one text, which has `rows` tokens. The output has a row for each token; up to three
 * rows after the last one are overwritten.
 */
export function attend(
  projectionsAt: usize,
  outputAt: usize,
  scratchAt: usize,
  rows: usize,
  heads: usize,
  headWidth: usize,
): void {
  const stride = heads * headWidth * 12;
  const padded = (rows + 7) & ~7;
  const block = (padded * headWidth) << 1;
  const keysAt = scratchAt + block;
  const valuesAt = keysAt + block;
  const scoresAt = valuesAt + block;
  const partsAt = scoresAt + (padded << 4);
  memory.fill(scratchAt, 0, 3 * block);
  for (let head: usize = 0; head < heads; head++) {
    const from = projectionsAt + ((head * headWidth) << 2);
    const keys = from + ((heads * headWidth) << 2);
    const values = keys + ((heads * headWidth) << 2);
    const queryMost = greatest(from, rows, headWidth, stride);
    const keyMost = greatest(keys, rows, headWidth, stride);
    const valueMost = greatest(values, rows, headWidth, stride);
    convertQueries(from, scratchAt, rows, headWidth, stride, QUERY_LIMIT / queryMost);
    convertKeys(keys, keysAt, rows, padded, headWidth, stride, QUERY_LIMIT / keyMost);
    convertValues(values, valuesAt, rows, headWidth, stride, VALUE_LIMIT / valueMost);
    const scoreStep = (queryMost / QUERY_LIMIT) * (keyMost / QUERY_LIMIT) * <f32>Math.LOG2E;
    const valueStep = valueMost / VALUE_LIMIT / PART_LIMIT;
    for (let row: usize = 0; row < rows; row += 4) {
      const query = scratchAt + ((row * headWidth) << 1);
      score(query, keysAt, scoresAt, padded, headWidth, scoreStep);
      for (let i: usize = 0; i < 4; i++) {
        softmax(scoresAt + ((i * padded) << 2), partsAt + (i << 2), rows, padded);
      }
      const to = outputAt + ((row * heads * headWidth + head * headWidth) << 2);
      mix(partsAt, valuesAt, to, padded, headWidth, (heads * headWidth) << 2, valueStep);
    }
  }
}

/**
 * Returns the greatest absolute value in the columns of one attention head, over all rows. If all values are 0,
 * returns a small positive number.
 */
function greatest(from: usize, rows: usize, headWidth: usize, stride: usize): f32 {
  let most = f32x4.splat(0);
  for (let row: usize = 0; row < rows; row++) {
    const at = from + row * stride;
    for (let i: usize = 0; i < headWidth << 2; i += 16) most = f32x4.pmax(most, f32x4.abs(v128.load(at + i)));
  }
  return max(<f32>1e-20, maximumOf(most));
}

function maximumOf(four: v128): f32 {
  return max(
    max(f32x4.extract_lane(four, 0), f32x4.extract_lane(four, 1)),
    max(f32x4.extract_lane(four, 2), f32x4.extract_lane(four, 3)),
  );
}

/** Multiplies eight f32 numbers by `scale` and converts them to 16-bit integers. */
function eight(at: usize, scale: v128): v128 {
  return i16x8.narrow_i32x4_s(
    i32x4.relaxed_trunc_f32x4_s(f32x4.nearest(f32x4.mul(v128.load(at), scale))),
    i32x4.relaxed_trunc_f32x4_s(f32x4.nearest(f32x4.mul(v128.load(at, 16), scale))),
  );
}

function convertQueries(
  from: usize,
  to: usize,
  rows: usize,
  headWidth: usize,
  stride: usize,
  factor: f32,
): void {
  const scale = f32x4.splat(factor);
  for (let row: usize = 0; row < rows; row++) {
    const at = from + row * stride;
    let target = to + (((row & ~3) * headWidth) << 1) + ((row & 3) << 2);
    for (let d: usize = 0; d < headWidth; d += 8) {
      storePairs(target, eight(at + (d << 2), scale), 16);
      target += 64;
    }
  }
}

/** Stores four pairs of 16-bit numbers, each `distance` bytes after the pair before it. */
function storePairs(to: usize, pairs: v128, distance: usize): void {
  v128.store32_lane(to, pairs, 0);
  v128.store32_lane(to + distance, pairs, 1);
  v128.store32_lane(to + 2 * distance, pairs, 2);
  v128.store32_lane(to + 3 * distance, pairs, 3);
}

function convertKeys(
  from: usize,
  to: usize,
  rows: usize,
  padded: usize,
  headWidth: usize,
  stride: usize,
  factor: f32,
): void {
  const scale = f32x4.splat(factor);
  const line = padded << 2;
  for (let row: usize = 0; row < rows; row++) {
    const at = from + row * stride;
    let target = to + (row << 2);
    for (let d: usize = 0; d < headWidth; d += 8) {
      storePairs(target, eight(at + (d << 2), scale), line);
      target += 4 * line;
    }
  }
}

function convertValues(
  from: usize,
  to: usize,
  rows: usize,
  headWidth: usize,
  stride: usize,
  factor: f32,
): void {
  const scale = f32x4.splat(factor);
  for (let row: usize = 0; row < rows; row += 2) {
    const at = from + row * stride;
    const target = to + ((row * headWidth) << 1);
    for (let d: usize = 0; d < headWidth; d += 8) {
      const first = eight(at + (d << 2), scale);
      const second = row + 1 < rows ? eight(at + stride + (d << 2), scale) : i16x8.splat(0);
      v128.store(
        target + (d << 2),
        i8x16.shuffle(first, second, 0, 1, 16, 17, 2, 3, 18, 19, 4, 5, 20, 21, 6, 7, 22, 23),
      );
      v128.store(
        target + (d << 2),
        i8x16.shuffle(first, second, 8, 9, 24, 25, 10, 11, 26, 27, 12, 13, 28, 29, 14, 15, 30, 31),
        16,
      );
    }
  }
}

/**
 * Writes the attention scores of four rows of Q with all rows of K, eight rows at a time. A score is a binary
 * logarithm: `softmax` computes 2^score.
 */
function score(
  queryAt: usize,
  keysAt: usize,
  scoresAt: usize,
  padded: usize,
  headWidth: usize,
  step: f32,
): void {
  const line = padded << 2;
  const steps = f32x4.splat(step);
  const queryEnd = queryAt + (headWidth << 3);
  for (let at: usize = 0; at < line; at += 32) {
    let a0 = i32x4.splat(0);
    let a1 = a0;
    let b0 = a0;
    let b1 = a0;
    let c0 = a0;
    let c1 = a0;
    let d0 = a0;
    let d1 = a0;
    let key = keysAt + at;
    for (let query = queryAt; query < queryEnd; query += 16) {
      const k0 = v128.load(key);
      const k1 = v128.load(key, 16);
      let q = v128.load32_splat(query);
      a0 = i32x4.add(a0, i32x4.dot_i16x8_s(q, k0));
      a1 = i32x4.add(a1, i32x4.dot_i16x8_s(q, k1));
      q = v128.load32_splat(query, 4);
      b0 = i32x4.add(b0, i32x4.dot_i16x8_s(q, k0));
      b1 = i32x4.add(b1, i32x4.dot_i16x8_s(q, k1));
      q = v128.load32_splat(query, 8);
      c0 = i32x4.add(c0, i32x4.dot_i16x8_s(q, k0));
      c1 = i32x4.add(c1, i32x4.dot_i16x8_s(q, k1));
      q = v128.load32_splat(query, 12);
      d0 = i32x4.add(d0, i32x4.dot_i16x8_s(q, k0));
      d1 = i32x4.add(d1, i32x4.dot_i16x8_s(q, k1));
      key += line;
    }
    const to = scoresAt + at;
    storeScaled(to, a0, a1, steps);
    storeScaled(to + line, b0, b1, steps);
    storeScaled(to + 2 * line, c0, c1, steps);
    storeScaled(to + 3 * line, d0, d1, steps);
  }
}

/**
 * Converts the scores of a row to probabilities 2^score / sum, in units of 2^-15. Rows after the end of the
 * text get the probability 0.
 */
function softmax(scoresAt: usize, partsAt: usize, rows: usize, padded: usize): void {
  const end = scoresAt + (padded << 2);
  for (let at = scoresAt + (rows << 2); at < end; at += 4) store<f32>(at, -Infinity);
  let most = v128.load(scoresAt);
  for (let at = scoresAt + 16; at < end; at += 16) most = f32x4.pmax(most, v128.load(at));
  const offset = f32x4.splat(maximumOf(most));
  const least = f32x4.splat(LEAST_SCORE);
  let sums = f32x4.splat(0);
  for (let at = scoresAt; at < end; at += 16) {
    const e = powerOfTwo(f32x4.pmax(least, f32x4.sub(v128.load(at), offset)));
    v128.store(at, e);
    sums = f32x4.add(sums, e);
  }
  const sum =
    f32x4.extract_lane(sums, 0) +
    f32x4.extract_lane(sums, 1) +
    (f32x4.extract_lane(sums, 2) + f32x4.extract_lane(sums, 3));
  const scale = f32x4.splat(PART_LIMIT / sum);
  for (let at: usize = 0; at < padded; at += 8) {
    storePairs(partsAt + (at << 3), eight(scoresAt + (at << 2), scale), 16);
  }
}

/**
 * Returns 2^x for x from -100 to 0, with a relative error below 0.0001. Let n be the integer nearest to x. The
 * function evaluates a polynomial of x - n and adds n to the exponent of the result. To find n, it adds the
 * constant ROUNDING to x, after which n is in the lowest bits of the sum.
 */
function powerOfTwo(x: v128): v128 {
  const rounded = f32x4.add(x, f32x4.splat(ROUNDING));
  const f = f32x4.sub(x, f32x4.sub(rounded, f32x4.splat(ROUNDING)));
  let p = f32x4.splat(0.055171221);
  p = f32x4.add(f32x4.mul(p, f), f32x4.splat(0.2426103));
  p = f32x4.add(f32x4.mul(p, f), f32x4.splat(0.69326098));
  p = f32x4.add(f32x4.mul(p, f), f32x4.splat(0.999928124));
  return i32x4.add(p, i32x4.shl(rounded, 23));
}

/**
 * Writes the output for four rows of Q: the sum of all rows of V, each multiplied by its probability. Computes
 * eight dimensions at a time.
 */
function mix(
  partsAt: usize,
  valuesAt: usize,
  outputAt: usize,
  padded: usize,
  headWidth: usize,
  stride: usize,
  step: f32,
): void {
  const end = partsAt + (padded << 3);
  const steps = f32x4.splat(step);
  for (let at: usize = 0; at < headWidth << 2; at += 32) {
    let a0 = i32x4.splat(0);
    let a1 = a0;
    let b0 = a0;
    let b1 = a0;
    let c0 = a0;
    let c1 = a0;
    let d0 = a0;
    let d1 = a0;
    let value = valuesAt + at;
    for (let part = partsAt; part < end; part += 16) {
      const v0 = v128.load(value);
      const v1 = v128.load(value, 16);
      let p = v128.load32_splat(part);
      a0 = i32x4.add(a0, i32x4.dot_i16x8_s(p, v0));
      a1 = i32x4.add(a1, i32x4.dot_i16x8_s(p, v1));
      p = v128.load32_splat(part, 4);
      b0 = i32x4.add(b0, i32x4.dot_i16x8_s(p, v0));
      b1 = i32x4.add(b1, i32x4.dot_i16x8_s(p, v1));
      p = v128.load32_splat(part, 8);
      c0 = i32x4.add(c0, i32x4.dot_i16x8_s(p, v0));
      c1 = i32x4.add(c1, i32x4.dot_i16x8_s(p, v1));
      p = v128.load32_splat(part, 12);
      d0 = i32x4.add(d0, i32x4.dot_i16x8_s(p, v0));
      d1 = i32x4.add(d1, i32x4.dot_i16x8_s(p, v1));
      value += headWidth << 2;
    }
    storeScaled(outputAt + at, a0, a1, steps);
    storeScaled(outputAt + stride + at, b0, b1, steps);
    storeScaled(outputAt + 2 * stride + at, c0, c1, steps);
    storeScaled(outputAt + 3 * stride + at, d0, d1, steps);
  }
}

function storeScaled(to: usize, first: v128, second: v128, steps: v128): void {
  v128.store(to, f32x4.mul(f32x4.convert_i32x4_s(first), steps));
  v128.store(to, f32x4.mul(f32x4.convert_i32x4_s(second), steps), 16);
}
