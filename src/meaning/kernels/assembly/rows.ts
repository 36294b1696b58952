/** Operations on rows of f32: embeddings, layer normalisation, sums. `width` is a multiple of 4. */

function sumOf(four: v128): f32 {
  return (
    f32x4.extract_lane(four, 0) +
    f32x4.extract_lane(four, 1) +
    (f32x4.extract_lane(four, 2) + f32x4.extract_lane(four, 3))
  );
}

/**
 * Computes the embedding of a token: output = step · word + position. `word` is the 8-bit vector of the token's
 * word, and `position` the f32 vector of its position in the text.
 */
export function addEmbedding(
  wordAt: usize,
  step: f32,
  positionAt: usize,
  outputAt: usize,
  width: usize,
): void {
  const steps = f32x4.splat(step);
  for (let i: usize = 0; i < width; i += 4) {
    const word = i32x4.extend_low_i16x8_s(i16x8.extend_low_i8x16_s(v128.load32_zero(wordAt + i)));
    const at = i << 2;
    const scaled = f32x4.mul(f32x4.convert_i32x4_s(word), steps);
    v128.store(outputAt + at, f32x4.add(scaled, v128.load(positionAt + at)));
  }
}

/** Computes x = layer normalisation of (x + addend), for each row. */
export function addAndNormalise(
  xAt: usize,
  addendAt: usize,
  gainsAt: usize,
  biasesAt: usize,
  rows: usize,
  width: usize,
  epsilon: f32,
): void {
  const bytes = (rows * width) << 2;
  for (let at: usize = 0; at < bytes; at += 16) {
    v128.store(xAt + at, f32x4.add(v128.load(xAt + at), v128.load(addendAt + at)));
  }
  normalise(xAt, gainsAt, biasesAt, rows, width, epsilon);
}

/** Layer normalisation: x = (x - mean) / sqrt(variance + epsilon) · gain + bias, for each row. */
export function normalise(
  xAt: usize,
  gainsAt: usize,
  biasesAt: usize,
  rows: usize,
  width: usize,
  epsilon: f32,
): void {
  const bytes = width << 2;
  for (let row: usize = 0; row < rows; row++) {
    const from = xAt + row * bytes;
    let sum = f32x4.splat(0);
    for (let at: usize = 0; at < bytes; at += 16) sum = f32x4.add(sum, v128.load(from + at));
    const mean = f32x4.splat(sumOf(sum) / <f32>width);
    let squares = f32x4.splat(0);
    for (let at: usize = 0; at < bytes; at += 16) {
      const d = f32x4.sub(v128.load(from + at), mean);
      squares = f32x4.add(squares, f32x4.mul(d, d));
    }
    const scale = f32x4.splat(<f32>1 / sqrt<f32>(sumOf(squares) / <f32>width + epsilon));
    for (let at: usize = 0; at < bytes; at += 16) {
      const x = f32x4.mul(f32x4.mul(f32x4.sub(v128.load(from + at), mean), scale), v128.load(gainsAt + at));
      v128.store(from + at, f32x4.add(x, v128.load(biasesAt + at)));
    }
  }
}

/** Adds up all rows and writes the sum to the output. */
export function sumRows(xAt: usize, rows: usize, width: usize, outputAt: usize): void {
  const bytes = width << 2;
  for (let at: usize = 0; at < bytes; at += 16) {
    let sum = f32x4.splat(0);
    for (let row: usize = 0; row < rows; row++) sum = f32x4.add(sum, v128.load(xAt + row * bytes + at));
    v128.store(outputAt + at, sum);
  }
}
