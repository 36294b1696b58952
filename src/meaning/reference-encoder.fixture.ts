/**
 * A plain forward pass of BERT in double precision, as the paper describes it, to test the kernel. It is slow
 * (half a second for ten tokens of a model with six layers) and independent of the packed weights and the
 * kernel.
 */
import type { ModelFiles } from './model-files.ts';

type Rows = Float64Array[];

/** Returns the mean of the token vectors of one text. */
export function encodePlainly(files: ModelFiles, ids: readonly number[]): Float64Array {
  const { width, heads, layers } = files.shape;
  let rows = embed(files, ids);
  for (let layer = 0; layer < layers; layer++) {
    const name = `encoder.layer.${layer}`;
    const query = dense(files, `${name}.attention.self.query`, rows);
    const key = dense(files, `${name}.attention.self.key`, rows);
    const value = dense(files, `${name}.attention.self.value`, rows);
    const mixed = rows.map((_, row) => attend(query[row]!, key, value, heads));
    const attended = dense(files, `${name}.attention.output.dense`, mixed);
    rows = normalise(files, `${name}.attention.output`, add(rows, attended));
    const inner = dense(files, `${name}.intermediate.dense`, rows).map((row) => row.map(gelu));
    rows = normalise(files, `${name}.output`, add(rows, dense(files, `${name}.output.dense`, inner)));
  }
  return new Float64Array(width).map((_, i) => rows.reduce((sum, row) => sum + row[i]!, 0) / rows.length);
}

function tensor({ tensors, prefix }: ModelFiles, name: string, first = 0, count?: number): Float32Array {
  return tensors.read(prefix + name, first, count ?? tensors.shapeOf(prefix + name)[0]!);
}

function embed(files: ModelFiles, ids: readonly number[]): Rows {
  const kind = tensor(files, 'embeddings.token_type_embeddings.weight', 0, 1);
  const sums = ids.map((id, position) => {
    const word = tensor(files, 'embeddings.word_embeddings.weight', id, 1);
    const place = tensor(files, 'embeddings.position_embeddings.weight', position, 1);
    return Float64Array.from(word, (x, i) => x + place[i]! + kind[i]!);
  });
  return normalise(files, 'embeddings', sums);
}

function dense(files: ModelFiles, name: string, rows: Rows): Rows {
  const weights = tensor(files, `${name}.weight`);
  const biases = tensor(files, `${name}.bias`);
  return rows.map((row) =>
    Float64Array.from(biases, (bias, output) => {
      let sum = bias;
      for (let i = 0; i < row.length; i++) sum += row[i]! * weights[output * row.length + i]!;
      return sum;
    }),
  );
}

function attend(query: Float64Array, keys: Rows, values: Rows, heads: number): Float64Array {
  const headWidth = query.length / heads;
  const output = new Float64Array(query.length);
  for (let head = 0; head < heads; head++) {
    const from = head * headWidth;
    const scores = keys.map((key) => {
      let score = 0;
      for (let i = from; i < from + headWidth; i++) score += query[i]! * key[i]!;
      return Math.exp(score / Math.sqrt(headWidth));
    });
    const total = scores.reduce((sum, score) => sum + score, 0);
    for (let i = from; i < from + headWidth; i++) {
      for (const [row, value] of values.entries()) output[i]! += (scores[row]! / total) * value[i]!;
    }
  }
  return output;
}

function add(left: Rows, right: Rows): Rows {
  return left.map((row, i) => row.map((x, j) => x + right[i]![j]!));
}

function normalise(files: ModelFiles, name: string, rows: Rows): Rows {
  const gains = tensor(files, `${name}.LayerNorm.weight`);
  const biases = tensor(files, `${name}.LayerNorm.bias`);
  return rows.map((row) => {
    const mean = row.reduce((sum, x) => sum + x, 0) / row.length;
    const variance = row.reduce((sum, x) => sum + (x - mean) ** 2, 0) / row.length;
    const scale = 1 / Math.sqrt(variance + files.shape.epsilon);
    return row.map((x, i) => (x - mean) * scale * gains[i]! + biases[i]!);
  });
}

function gelu(x: number): number {
  return (x / 2) * (1 + erf(x / Math.SQRT2));
}

/** The error function, by formula 7.1.26 of Abramowitz and Stegun; the error is below 2·10^-7. */
function erf(x: number): number {
  const t = 1 / (1 + 0.3275911 * Math.abs(x));
  const series =
    ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t - 0.284496736) * t + 0.254829592) * t;
  return Math.sign(x) * (1 - series * Math.exp(-x * x));
}
