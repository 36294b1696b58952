/**
 * Matrix products of 7-bit activations and 8-bit weights.
 *
 * Each number of a row of activations x is first multiplied by its own factor, and the weights have been
 * divided by the same factor (`calibrate.ts`). It is stored as unsigned numbers q of 7 bits with a step s and a
 * least value m of its own: x ≈ m + s·q. A column of weights is stored as signed 8-bit numbers with a step of
 * its own. Then
 *
 *   x·w = s·step·Σ q·w + m·step·Σ w
 *
 * where the second sum does not depend on x and is stored with the weights.
 *
 * The product Σ q·w is exact. `relaxed_dot_i8x16_i7x16_s` multiplies 16 pairs and adds neighbours to eight
 * 16-bit sums, four of which are added before they are widened to 32 bits. This cannot overflow: the weights
 * are scaled so that 127 times the sum of the eight weights that meet in one 16-bit sum is below 2^15
 * (`pack-weights.ts`). For 64 products this takes 9
 * instructions instead of 12.
 *
 *   activations  [row / 2][k / 16][row % 2][k % 16]                  two rows side by side
 *   weights      [column / 8][k / 4][column % 8][k % 4]              eight columns side by side
 *
 * Two rows by eight columns are computed at once: more would not fit into the 16 registers of x86.
 */

/**
 * Returns, for each of four columns, the sum of the products of four inputs with the column's weights.
 * `weights` has the four weights of each column, one column after the other; `row` has the four inputs,
 * repeated four times.
 */
function products(weights: v128, row: v128): v128 {
  return i16x8.relaxed_dot_i8x16_i7x16_s(weights, row);
}

/**
 * Computes output[row][column] = x·w + bias. There are `rows` rows (an even number) of `depth` activations (a
 * multiple of 16), and `columns` columns (a multiple of 8). `steps` has, for each row, the step s and the least
 * value m of its activations. `table` has 12 numbers for every four columns: their steps, their sums step·Σw,
 * and their biases.
 */
export function multiply(
  activationsAt: usize,
  stepsAt: usize,
  weightsAt: usize,
  tableAt: usize,
  outputAt: usize,
  rows: usize,
  depth: usize,
  columns: usize,
): void {
  const stride = columns << 2;
  for (let column: usize = 0; column < columns; column += 8) {
    const panelAt = weightsAt + column * depth;
    const panelEnd = panelAt + (depth << 3);
    const table = tableAt + column * 12;
    for (let row: usize = 0; row < rows; row += 2) {
      let a = activationsAt + row * depth;
      let c00 = i32x4.splat(0);
      let c01 = c00;
      let c10 = c00;
      let c11 = c00;
      for (let w = panelAt; w < panelEnd; w += 128) {
        let left = v128.load(w);
        let right = v128.load(w, 16);
        let first = v128.load32_splat(a);
        let second = v128.load32_splat(a, 16);
        let x00 = products(left, first);
        let x01 = products(right, first);
        let x10 = products(left, second);
        let x11 = products(right, second);
        left = v128.load(w, 32);
        right = v128.load(w, 48);
        first = v128.load32_splat(a, 4);
        second = v128.load32_splat(a, 20);
        x00 = i16x8.add(x00, products(left, first));
        x01 = i16x8.add(x01, products(right, first));
        x10 = i16x8.add(x10, products(left, second));
        x11 = i16x8.add(x11, products(right, second));
        left = v128.load(w, 64);
        right = v128.load(w, 80);
        first = v128.load32_splat(a, 8);
        second = v128.load32_splat(a, 24);
        x00 = i16x8.add(x00, products(left, first));
        x01 = i16x8.add(x01, products(right, first));
        x10 = i16x8.add(x10, products(left, second));
        x11 = i16x8.add(x11, products(right, second));
        left = v128.load(w, 96);
        right = v128.load(w, 112);
        first = v128.load32_splat(a, 12);
        second = v128.load32_splat(a, 28);
        x00 = i16x8.add(x00, products(left, first));
        x01 = i16x8.add(x01, products(right, first));
        x10 = i16x8.add(x10, products(left, second));
        x11 = i16x8.add(x11, products(right, second));
        c00 = i32x4.add(c00, i32x4.extadd_pairwise_i16x8_s(x00));
        c01 = i32x4.add(c01, i32x4.extadd_pairwise_i16x8_s(x01));
        c10 = i32x4.add(c10, i32x4.extadd_pairwise_i16x8_s(x10));
        c11 = i32x4.add(c11, i32x4.extadd_pairwise_i16x8_s(x11));
        a += 32;
      }
      const to = outputAt + row * stride + (column << 2);
      const steps = stepsAt + (row << 3);
      finish(to, c00, steps, table);
      finish(to + 16, c01, steps, table + 48);
      finish(to + stride, c10, steps + 8, table);
      finish(to + stride + 16, c11, steps + 8, table + 48);
    }
  }
}

/**
 * Converts the integer sums of four columns of one row to f32 and stores them: sum·step·s + m·step·Σw + bias.
 */
function finish(to: usize, count: v128, steps: usize, table: usize): void {
  const scale = f32x4.mul(v128.load(table), v128.load32_splat(steps));
  const fixed = f32x4.add(f32x4.mul(v128.load(table, 16), v128.load32_splat(steps, 4)), v128.load(table, 32));
  v128.store(to, f32x4.add(f32x4.mul(f32x4.convert_i32x4_s(count), scale), fixed));
}

/**
 * Multiplies rows of inputs by their factors and converts them to 7-bit activations. Activations are stored in
 * pairs of rows: if the number of rows is odd, the second row of the last pair is not written.
 */
export function quantise(
  inputAt: usize,
  factorsAt: usize,
  activationsAt: usize,
  stepsAt: usize,
  rows: usize,
  depth: usize,
): void {
  for (let row: usize = 0; row < rows; row++) {
    const from = inputAt + row * (depth << 2);
    let least = f32x4.splat(0);
    let greatest = least;
    for (let at: usize = 0; at < depth << 2; at += 16) {
      const x = f32x4.mul(v128.load(from + at), v128.load(factorsAt + at));
      least = f32x4.pmin(least, x);
      greatest = f32x4.pmax(greatest, x);
    }
    pack(from, factorsAt, least, greatest, row, depth, activationsAt, stepsAt);
  }
}

/** Does the same as `quantise`, but first applies the activation function GELU to each input. */
export function quantiseGelu(
  inputAt: usize,
  factorsAt: usize,
  activationsAt: usize,
  stepsAt: usize,
  rows: usize,
  depth: usize,
): void {
  for (let row: usize = 0; row < rows; row++) {
    const from = inputAt + row * (depth << 2);
    let least = f32x4.splat(0);
    let greatest = least;
    for (let at: usize = 0; at < depth << 2; at += 16) {
      const y = gelu(v128.load(from + at));
      v128.store(from + at, y);
      const x = f32x4.mul(y, v128.load(factorsAt + at));
      least = f32x4.pmin(least, x);
      greatest = f32x4.pmax(greatest, x);
    }
    pack(from, factorsAt, least, greatest, row, depth, activationsAt, stepsAt);
  }
}

/**
 * Computes GELU: x·Φ(x), where Φ is the cumulative normal distribution. For |x| < 4, Φ(x) - 1/2 is computed as
 * x times a polynomial in (x/4)²; for other x, Φ is taken as 0 or 1. The error is below 0.0002, less than the
 * step of a 7-bit activation.
 */
function gelu(x: v128): v128 {
  const near = f32x4.pmax(f32x4.splat(-4), f32x4.pmin(f32x4.splat(4), x));
  const u = f32x4.mul(f32x4.mul(near, near), f32x4.splat(0.0625));
  let p = f32x4.splat(0.382193087);
  p = f32x4.add(f32x4.mul(p, u), f32x4.splat(-1.67620072));
  p = f32x4.add(f32x4.mul(p, u), f32x4.splat(3.14273849));
  p = f32x4.add(f32x4.mul(p, u), f32x4.splat(-3.33415815));
  p = f32x4.add(f32x4.mul(p, u), f32x4.splat(2.24571495));
  p = f32x4.add(f32x4.mul(p, u), f32x4.splat(-1.03316724));
  p = f32x4.add(f32x4.mul(p, u), f32x4.splat(0.397883219));
  return f32x4.mul(x, f32x4.add(f32x4.splat(0.5), f32x4.mul(near, p)));
}

/**
 * Writes one row of inputs as 7-bit numbers. Two arguments have the least and the greatest value of the row, in
 * four lanes each; 0 is between the two values.
 */
function pack(
  from: usize,
  factorsAt: usize,
  leasts: v128,
  greatests: v128,
  row: usize,
  depth: usize,
  activationsAt: usize,
  stepsAt: usize,
): void {
  const least = min(
    min(f32x4.extract_lane(leasts, 0), f32x4.extract_lane(leasts, 1)),
    min(f32x4.extract_lane(leasts, 2), f32x4.extract_lane(leasts, 3)),
  );
  const greatest = max(
    max(f32x4.extract_lane(greatests, 0), f32x4.extract_lane(greatests, 1)),
    max(f32x4.extract_lane(greatests, 2), f32x4.extract_lane(greatests, 3)),
  );
  const range = greatest - least;
  store<f32>(stepsAt + (row << 3), range / 127);
  store<f32>(stepsAt + (row << 3), least, 4);
  const scale = f32x4.splat(range > 0 ? 127 / range : 0);
  const offset = f32x4.splat(least);
  let to = activationsAt + (row >> 1) * (depth << 1) + ((row & 1) << 4);
  for (let at: usize = 0; at < depth << 2; at += 64) {
    const x = from + at;
    const factors = factorsAt + at;
    const low = i16x8.narrow_i32x4_s(
      level(v128.load(x), v128.load(factors), offset, scale),
      level(v128.load(x, 16), v128.load(factors, 16), offset, scale),
    );
    const high = i16x8.narrow_i32x4_s(
      level(v128.load(x, 32), v128.load(factors, 32), offset, scale),
      level(v128.load(x, 48), v128.load(factors, 48), offset, scale),
    );
    v128.store(to, i8x16.narrow_i16x8_s(low, high));
    to += 32;
  }
}

/**
 * Returns the nearest 7-bit level of each of four numbers. Rounding may give 128; the caller limits this to 127
 * with `narrow`.
 */
function level(x: v128, factors: v128, offset: v128, scale: v128): v128 {
  const exact = f32x4.mul(f32x4.sub(f32x4.mul(x, factors), offset), scale);
  return i32x4.relaxed_trunc_f32x4_s(f32x4.add(exact, f32x4.splat(0.5)));
}
