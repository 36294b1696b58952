/**
 * Self-attention of one text in f32: output = softmax(Q·Kᵀ)·V for every head. The scale of the scores,
 * 1/√(width of a head), is part of the weights of Q.
 *
 *   projections  [row][Q of all heads, K of all heads, V of all heads]
 *   output       [row][all heads]
 *   scratch      keys [dimension][row], values [row][dimension], scores [4][row]; rows rounded up to a multiple of 8
 *
 * Four rows of Q are processed at once, so that every key and value is loaded once for four.
 */

/** `rows` is the length of the text; buffers have room for, and finite numbers in, the rows up to a multiple of 4. */
export function attend(
  projectionsAt: usize,
  outputAt: usize,
  scratchAt: usize,
  rows: usize,
  heads: usize,
  headWidth: usize,
): void {
  const width = heads * headWidth;
  const padded = (rows + 7) & ~7;
  const valuesAt = scratchAt + ((headWidth * padded) << 2);
  const scoresAt = valuesAt + ((headWidth * padded) << 2);
  for (let head: usize = 0; head < heads; head++) {
    const from = projectionsAt + ((head * headWidth) << 2);
    transposeKeys(from + (width << 2), scratchAt, rows, padded, headWidth, width);
    copyValues(from + (width << 3), valuesAt, rows, headWidth, width);
    for (let row: usize = 0; row < rows; row += 4) {
      score(from + row * width * 12, scratchAt, scoresAt, padded, headWidth, width * 12);
      const to = outputAt + ((row * width + head * headWidth) << 2);
      const s0 = softmax(scoresAt, rows);
      const s1 = softmax(scoresAt + (padded << 2), rows);
      const s2 = softmax(scoresAt + (padded << 3), rows);
      const s3 = softmax(scoresAt + padded * 12, rows);
      mix(scoresAt, valuesAt, to, rows, padded, headWidth, width << 2, s0, s1, s2, s3);
    }
  }
}

function transposeKeys(
  from: usize,
  keysAt: usize,
  rows: usize,
  padded: usize,
  headWidth: usize,
  width: usize,
): void {
  memory.fill(keysAt, 0, (headWidth * padded) << 2);
  for (let row: usize = 0; row < rows; row++) {
    const key = from + row * width * 12;
    for (let d: usize = 0; d < headWidth; d++) {
      store<f32>(keysAt + ((d * padded + row) << 2), load<f32>(key + (d << 2)));
    }
  }
}

function copyValues(from: usize, valuesAt: usize, rows: usize, headWidth: usize, width: usize): void {
  for (let row: usize = 0; row < rows; row++) {
    memory.copy(valuesAt + ((row * headWidth) << 2), from + row * width * 12, headWidth << 2);
  }
}

function addProduct(sum: v128, x: v128, y: v128): v128 {
  return f32x4.add(sum, f32x4.mul(x, y));
}

/** Writes the scores of four rows of Q against all keys. */
function score(
  queryAt: usize,
  keysAt: usize,
  scoresAt: usize,
  padded: usize,
  headWidth: usize,
  stride: usize,
): void {
  const keyStride = padded << 2;
  for (let at: usize = 0; at < keyStride; at += 32) {
    let a0 = f32x4.splat(0);
    let a1 = a0;
    let b0 = a0;
    let b1 = a0;
    let c0 = a0;
    let c1 = a0;
    let d0 = a0;
    let d1 = a0;
    let key = keysAt + at;
    let query = queryAt;
    for (let d: usize = 0; d < headWidth; d++) {
      const k0 = v128.load(key);
      const k1 = v128.load(key, 16);
      let q = v128.load32_splat(query);
      a0 = addProduct(a0, q, k0);
      a1 = addProduct(a1, q, k1);
      q = v128.load32_splat(query + stride);
      b0 = addProduct(b0, q, k0);
      b1 = addProduct(b1, q, k1);
      q = v128.load32_splat(query + 2 * stride);
      c0 = addProduct(c0, q, k0);
      c1 = addProduct(c1, q, k1);
      q = v128.load32_splat(query + 3 * stride);
      d0 = addProduct(d0, q, k0);
      d1 = addProduct(d1, q, k1);
      key += keyStride;
      query += 4;
    }
    let to = scoresAt + at;
    v128.store(to, a0);
    v128.store(to, a1, 16);
    to += keyStride;
    v128.store(to, b0);
    v128.store(to, b1, 16);
    to += keyStride;
    v128.store(to, c0);
    v128.store(to, c1, 16);
    to += keyStride;
    v128.store(to, d0);
    v128.store(to, d1, 16);
  }
}

/** Replaces scores by exp(score - greatest) and returns 1 / their sum. */
function softmax(scoresAt: usize, rows: usize): f32 {
  const end = scoresAt + (rows << 2);
  const last = scoresAt + ((rows & ~3) << 2);
  let greatest = load<f32>(scoresAt);
  if (last > scoresAt) {
    let four = v128.load(scoresAt);
    for (let at = scoresAt + 16; at < last; at += 16) four = f32x4.pmax(four, v128.load(at));
    greatest = max(
      max(f32x4.extract_lane(four, 0), f32x4.extract_lane(four, 1)),
      max(f32x4.extract_lane(four, 2), f32x4.extract_lane(four, 3)),
    );
  }
  for (let at = last; at < end; at += 4) greatest = max(greatest, load<f32>(at));
  const offset = f32x4.splat(greatest);
  let sums = f32x4.splat(0);
  for (let at = scoresAt; at < last; at += 16) {
    const e = exponential(f32x4.sub(v128.load(at), offset));
    v128.store(at, e);
    sums = f32x4.add(sums, e);
  }
  let sum =
    f32x4.extract_lane(sums, 0) +
    f32x4.extract_lane(sums, 1) +
    (f32x4.extract_lane(sums, 2) + f32x4.extract_lane(sums, 3));
  if (last < end) {
    const e = exponential(f32x4.sub(v128.load(last), offset));
    v128.store(last, e);
    for (let at = last; at < end; at += 4) sum += load<f32>(at);
  }
  return <f32>1 / sum;
}

/** e^x for x ≤ 0: 2^n times a polynomial of the fraction, with a relative error below 10^-5. */
function exponential(x: v128): v128 {
  const power = f32x4.mul(
    f32x4.pmax(f32x4.splat(-80), f32x4.pmin(f32x4.splat(0), x)),
    f32x4.splat(<f32>Math.LOG2E),
  );
  const whole = f32x4.floor(power);
  const f = f32x4.sub(power, whole);
  let p = f32x4.splat(0.01353405);
  p = f32x4.add(f32x4.mul(p, f), f32x4.splat(0.05201142));
  p = f32x4.add(f32x4.mul(p, f), f32x4.splat(0.24144301));
  p = f32x4.add(f32x4.mul(p, f), f32x4.splat(0.69300371));
  p = f32x4.add(f32x4.mul(p, f), f32x4.splat(1.0000026));
  const scale = i32x4.shl(i32x4.add(i32x4.relaxed_trunc_f32x4_s(whole), i32x4.splat(127)), 23);
  return f32x4.mul(p, scale);
}

/** Writes the means of the values, weighted by four rows of scores: eight dimensions at a time. */
function mix(
  scoresAt: usize,
  valuesAt: usize,
  outputAt: usize,
  rows: usize,
  padded: usize,
  headWidth: usize,
  stride: usize,
  s0: f32,
  s1: f32,
  s2: f32,
  s3: f32,
): void {
  const valueStride = headWidth << 2;
  const scoreStride = padded << 2;
  const end = scoresAt + (rows << 2);
  for (let at: usize = 0; at < valueStride; at += 32) {
    let a0 = f32x4.splat(0);
    let a1 = a0;
    let b0 = a0;
    let b1 = a0;
    let c0 = a0;
    let c1 = a0;
    let d0 = a0;
    let d1 = a0;
    let value = valuesAt + at;
    for (let score = scoresAt; score < end; score += 4) {
      const v0 = v128.load(value);
      const v1 = v128.load(value, 16);
      let p = v128.load32_splat(score);
      a0 = addProduct(a0, p, v0);
      a1 = addProduct(a1, p, v1);
      p = v128.load32_splat(score + scoreStride);
      b0 = addProduct(b0, p, v0);
      b1 = addProduct(b1, p, v1);
      p = v128.load32_splat(score + 2 * scoreStride);
      c0 = addProduct(c0, p, v0);
      c1 = addProduct(c1, p, v1);
      p = v128.load32_splat(score + 3 * scoreStride);
      d0 = addProduct(d0, p, v0);
      d1 = addProduct(d1, p, v1);
      value += valueStride;
    }
    let to = outputAt + at;
    storeScaled(to, a0, a1, s0);
    to += stride;
    storeScaled(to, b0, b1, s1);
    to += stride;
    storeScaled(to, c0, c1, s2);
    to += stride;
    storeScaled(to, d0, d1, s3);
  }
}

function storeScaled(to: usize, first: v128, second: v128, scale: f32): void {
  const scales = f32x4.splat(scale);
  v128.store(to, f32x4.mul(first, scales));
  v128.store(to, f32x4.mul(second, scales), 16);
}
