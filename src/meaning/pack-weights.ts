/**
 * Converts the weights of a model to 8 bits, in the layout of the kernel.
 *
 * Each column of a matrix has its own step: a weight is stored as the nearest integer to weight / step. The
 * step is the least that satisfies two limits. First, no stored weight exceeds 127. Second, the kernel adds the
 * products of eight weights in one 16-bit sum, so the absolute values of these eight weights must not exceed
 * 258 in total: 258 · 127 is the greatest multiple of 127 below 2^15. The second limit costs about half a bit
 * of precision and makes the product a third faster.
 */
import type { ModelFiles } from './model-files.ts';
import { layoutOf, type MatrixPlace } from './model-layout.ts';

const MAX_WEIGHT = 127;
const MAX_GROUP = 258;
const WORDS_AT_ONCE = 4096;

/** A dense layer as in the model's file: `weights` [output][input], and a bias for each output. */
interface Dense {
  weights: Float32Array;
  biases: Float32Array;
}

/** Writes the vectors of words and positions into the buffer, at the addresses that `layoutOf` returns. */
export function packEmbeddings(files: ModelFiles, buffer: ArrayBufferLike): void {
  const { shape } = files;
  const layout = layoutOf(shape);
  packWords(files, buffer, layout.words, layout.wordSteps);
  packPositions(files, new Float32Array(buffer, layout.positions, shape.positions * shape.width));
  packNorm(files, 'embeddings', layout.embeddingNorm, buffer);
}

/**
 * Writes the matrices of all layers into the buffer, which must already contain the factors of their inputs.
 */
export function packLayers(files: ModelFiles, buffer: ArrayBufferLike): void {
  const { width, heads } = files.shape;
  const dense = (name: string): Dense => ({
    weights: readAll(files, `${name}.weight`),
    biases: readAll(files, `${name}.bias`),
  });
  layoutOf(files.shape).layers.forEach((place, layer) => {
    const name = `encoder.layer.${layer}`;
    const query = dense(`${name}.attention.self.query`);
    scale(query, 1 / Math.sqrt(width / heads));
    const others = [dense(`${name}.attention.self.key`), dense(`${name}.attention.self.value`)];
    packMatrix(join([query, ...others]), place.attention, buffer);
    packMatrix(dense(`${name}.attention.output.dense`), place.attentionOutput, buffer);
    packNorm(files, `${name}.attention.output`, place.attentionNorm, buffer);
    packMatrix(dense(`${name}.intermediate.dense`), place.inner, buffer);
    packMatrix(dense(`${name}.output.dense`), place.outer, buffer);
    packNorm(files, `${name}.output`, place.outerNorm, buffer);
  });
}

function packNorm(files: ModelFiles, name: string, at: number, buffer: ArrayBufferLike): void {
  const { width } = files.shape;
  const numbers = new Float32Array(buffer, at, 2 * width);
  numbers.set(readAll(files, `${name}.LayerNorm.weight`));
  numbers.set(readAll(files, `${name}.LayerNorm.bias`), width);
}

function readAll({ tensors, prefix }: ModelFiles, name: string): Float32Array {
  return tensors.read(prefix + name, 0, tensors.shapeOf(prefix + name)[0]!);
}

function scale({ weights, biases }: Dense, factor: number): void {
  for (let i = 0; i < weights.length; i++) weights[i]! *= factor;
  for (let i = 0; i < biases.length; i++) biases[i]! *= factor;
}

function join(parts: readonly Dense[]): Dense {
  const concatenate = (arrays: Float32Array[]): Float32Array => {
    const all = new Float32Array(arrays.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const array of arrays) {
      all.set(array, at);
      at += array.length;
    }
    return all;
  };
  return {
    weights: concatenate(parts.map(({ weights }) => weights)),
    biases: concatenate(parts.map(({ biases }) => biases)),
  };
}

function packWords(files: ModelFiles, buffer: ArrayBufferLike, wordsAt: number, stepsAt: number): void {
  const { width, vocabularySize } = files.shape;
  const words = new Int8Array(buffer, wordsAt, vocabularySize * width);
  const steps = new Float32Array(buffer, stepsAt, vocabularySize);
  const name = `${files.prefix}embeddings.word_embeddings.weight`;
  for (let from = 0; from < vocabularySize; from += WORDS_AT_ONCE) {
    const count = Math.min(WORDS_AT_ONCE, vocabularySize - from);
    const numbers = files.tensors.read(name, from, count);
    for (let word = 0; word < count; word++) {
      const row = numbers.subarray(word * width, (word + 1) * width);
      const step = row.reduce((most, x) => Math.max(most, Math.abs(x)), 0) / MAX_WEIGHT;
      steps[from + word] = step;
      const to = (from + word) * width;
      for (let i = 0; i < width; i++) words[to + i] = step > 0 ? Math.round(row[i]! / step) : 0;
    }
  }
}

function packPositions(files: ModelFiles, positions: Float32Array): void {
  const { width } = files.shape;
  positions.set(readAll(files, 'embeddings.position_embeddings.weight'));
  const kind = files.tensors.read(`${files.prefix}embeddings.token_type_embeddings.weight`, 0, 1);
  for (let i = 0; i < positions.length; i++) positions[i]! += kind[i % width]!;
}

/**
 * Writes the 8-bit weights as [output / 8][input / 4][output % 8][input % 4], and the table of steps, sums and
 * biases.
 */
function packMatrix({ weights, biases }: Dense, place: MatrixPlace, buffer: ArrayBufferLike): void {
  const { inputs, outputs } = place;
  const packed = new Int8Array(buffer, place.weights, inputs * outputs);
  const table = new Float32Array(buffer, place.table, 3 * outputs);
  const factors = new Float32Array(buffer, place.factors, inputs);
  for (let output = 0; output < outputs; output++) {
    const column = weights
      .subarray(output * inputs, (output + 1) * inputs)
      .map((weight, k) => weight / factors[k]!);
    const { levels, step } = quantiseColumn(column);
    const panel = (output >> 3) * 8 * inputs + (output & 7) * 4;
    let sum = 0;
    for (let k = 0; k < inputs; k++) {
      packed[panel + (k >> 2) * 32 + (k & 3)] = levels[k]!;
      sum += levels[k]!;
    }
    const entry = (output >> 2) * 12 + (output & 3);
    table[entry] = step;
    table[entry + 4] = step * sum;
    table[entry + 8] = biases[output]!;
  }
}

/**
 * Converts a column of weights to 8-bit integers. The step is the least that satisfies the two limits in the
 * head comment of this file.
 */
function quantiseColumn(column: Float32Array): { levels: Int8Array; step: number } {
  const levels = new Int8Array(column.length);
  let most = 0;
  for (const weight of column) most = Math.max(most, Math.abs(weight));
  if (most === 0) return { levels, step: 0 };
  let step = Math.fround(Math.max(most / MAX_WEIGHT, greatestGroup(column) / MAX_GROUP));
  const round = (): void => {
    for (let k = 0; k < column.length; k++) levels[k] = Math.round(column[k]! / step);
  };
  // Rounding can raise the sum of a group by up to four, so the step is increased until no group exceeds the
  // limit.
  for (round(); greatestGroup(levels) > MAX_GROUP; round()) step = Math.fround(step * 1.002);
  return { levels, step };
}

/**
 * The kernel adds the products of eight weights in one 16-bit sum. Of each 16 weights, the weights 0, 1, 4, 5,
 * 8, 9, 12 and 13 are one group of eight, and the others are the second group. Returns the greatest sum of
 * absolute values of any group.
 */
function greatestGroup(column: Float32Array | Int8Array): number {
  let greatest = 0;
  for (let block = 0; block < column.length; block += 16) {
    for (let half = 0; half < 4; half += 2) {
      let sum = 0;
      for (let k = block + half; k < block + 16; k += 4)
        sum += Math.abs(column[k]!) + Math.abs(column[k + 1]!);
      greatest = Math.max(greatest, sum);
    }
  }
  return greatest;
}
