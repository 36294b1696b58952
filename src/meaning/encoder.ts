/**
 * Runs the encoder of a BERT model on a batch of texts. The input is the token ids of each text, and the output
 * is the mean of the token vectors of each text.
 *
 * The tokens of all texts of a batch are rows of one matrix, without padding; only attention works text by
 * text. The weights are in shared memory, which several threads may use at once. Encoders that run at the same
 * time have different workspaces in the same memory.
 */
import { loadKernel } from '../base/mod.ts';
import type { ModelShape } from './model-files.ts';
import { type LayerPlace, layoutOf, type MatrixPlace, MemoryPlan, type ModelLayout } from './model-layout.ts';

type Quantise = (
  input: number,
  factors: number,
  activations: number,
  steps: number,
  rows: number,
  depth: number,
) => void;

interface EncoderCalls {
  addEmbedding(word: number, step: number, position: number, output: number, width: number): void;
  normalise(x: number, gains: number, biases: number, rows: number, width: number, epsilon: number): void;
  addAndNormalise(
    x: number,
    addend: number,
    gains: number,
    biases: number,
    rows: number,
    width: number,
    epsilon: number,
  ): void;
  quantise: Quantise;
  /** Does the same as `quantise`, but first applies the activation function GELU to each number. */
  quantiseGelu: Quantise;
  multiply(
    activations: number,
    steps: number,
    weights: number,
    table: number,
    output: number,
    rows: number,
    depth: number,
    columns: number,
  ): void;
  attend(
    projections: number,
    output: number,
    scratch: number,
    rows: number,
    heads: number,
    headWidth: number,
  ): void;
  sumRows(x: number, rows: number, width: number, output: number): void;
}

/**
 * Byte addresses of the buffers of one encoder. Each buffer has room for extra rows, because the kernel rounds
 * the number of rows up.
 */
interface Workspace {
  /** f32 [row][width]: the state of each token, one row per token. */
  hidden: number;
  /** f32 [row][3 · width]: the query, key and value vectors of each token, for attention. */
  projections: number;
  /**
   * f32 [row][width]: the output of attention or of the feed-forward network, before it is added to the state.
   */
  output: number;
  /** f32 [chunk row][inner width]: the hidden layer of the feed-forward network, for CHUNK tokens at a time. */
  inner: number;
  /** The input of the next matrix product as 7-bit numbers. `steps` has the quantisation step of each row. */
  activations: number;
  steps: number;
  attention: number;
  end: number;
}

/** The maximum number of tokens of a batch of texts, and therefore of a single text. */
export const MAX_ROWS = 512;

const PAGE_BYTES = 65536;
/**
 * The feed-forward network processes this many tokens at once, so that its buffers fit into the second-level
 * cache.
 */
const CHUNK = 64;
/**
 * Buffers have room for this many extra rows, because kernel functions may write up to three rows more than
 * requested.
 */
const EXTRA_ROWS = 4;

/**
 * A callback for calibration. It gets the inputs of a matrix, as [row][input], before they are multiplied by
 * the factors of the matrix.
 */
type InputObserver = (matrix: MatrixPlace, inputs: Float32Array) => void;

/** Returns the number of memory pages that the weights and `workspaces` workspaces take. */
export function pagesFor(shape: ModelShape, workspaces: number): number {
  const pagesOf = (bytes: number) => Math.ceil(bytes / PAGE_BYTES);
  return pagesOf(layoutOf(shape).end) + workspaces * pagesOf(workspaceAt(0, shape).end);
}

export class Encoder {
  readonly #shape: ModelShape;
  readonly #layout: ModelLayout;
  readonly #space: Workspace;
  readonly #kernel: EncoderCalls;
  readonly #wordSteps: Float32Array;
  readonly #memory: WebAssembly.Memory;
  readonly #observe: InputObserver | null;

  /**
   * `memory` contains the packed weights of the model, followed by the workspaces, which are numbered from 0.
   */
  constructor(
    shape: ModelShape,
    memory: WebAssembly.Memory,
    workspace = 0,
    observe: InputObserver | null = null,
  ) {
    this.#observe = observe;
    this.#memory = memory;
    this.#shape = shape;
    this.#layout = layoutOf(shape);
    this.#space = workspaceAt(pagesFor(shape, workspace) * PAGE_BYTES, shape);
    this.#kernel = loadKernel(new URL('./kernels/encoder.wasm', import.meta.url), memory);
    this.#wordSteps = this.#floats(this.#layout.wordSteps, shape.vocabularySize);
  }

  /**
   * Returns, for each text, the mean of its token vectors, scaled to length 1. A text may have at most MAX_ROWS
   * tokens.
   */
  encode(texts: readonly (readonly number[])[]): Float32Array[] {
    const vectors: Float32Array[] = [];
    let batch: (readonly number[])[] = [];
    let rows = 0;
    for (const ids of texts) {
      if (rows + ids.length > MAX_ROWS) {
        vectors.push(...this.#encodeBatch(batch, rows));
        batch = [];
        rows = 0;
      }
      batch.push(ids);
      rows += ids.length;
    }
    if (batch.length > 0) vectors.push(...this.#encodeBatch(batch, rows));
    return vectors;
  }

  #encodeBatch(texts: readonly (readonly number[])[], rows: number): Float32Array[] {
    const { width } = this.#shape;
    this.#embedTokens(texts, rows);
    for (const layer of this.#layout.layers) {
      this.#attend(layer, texts, rows);
      for (let row = 0; row < rows; row += CHUNK) {
        this.#feedForward(layer, row, Math.min(CHUNK, rows - row));
      }
    }
    let row = 0;
    return texts.map(({ length }) => {
      this.#kernel.sumRows(this.#row(this.#space.hidden, row), length, width, this.#space.output);
      row += length;
      return toUnitLength(this.#floats(this.#space.output, width));
    });
  }

  #embedTokens(texts: readonly (readonly number[])[], rows: number): void {
    const { width, epsilon } = this.#shape;
    const { words, positions, embeddingNorm } = this.#layout;
    let to = this.#space.hidden;
    for (const ids of texts) {
      ids.forEach((id, position) => {
        const at = this.#row(positions, position);
        this.#kernel.addEmbedding(words + id * width, this.#wordSteps[id]!, at, to, width);
        to += 4 * width;
      });
    }
    this.#kernel.normalise(
      this.#space.hidden,
      embeddingNorm,
      this.#row(embeddingNorm, 1),
      rows,
      width,
      epsilon,
    );
  }

  #attend(layer: LayerPlace, texts: readonly (readonly number[])[], rows: number): void {
    const { width, heads } = this.#shape;
    const { hidden, projections, output, attention } = this.#space;
    this.#multiply(hidden, layer.attention, rows, projections);
    let row = 0;
    for (const { length } of texts) {
      const from = projections + 12 * width * row;
      this.#kernel.attend(from, this.#row(output, row), attention, length, heads, width / heads);
      row += length;
    }
    this.#multiply(output, layer.attentionOutput, rows, output);
    this.#addAndNormalise(hidden, layer.attentionNorm, rows);
  }

  #feedForward(layer: LayerPlace, firstRow: number, rows: number): void {
    const { inner, output } = this.#space;
    const hidden = this.#row(this.#space.hidden, firstRow);
    this.#multiply(hidden, layer.inner, rows, inner);
    this.#multiply(inner, layer.outer, rows, output, this.#kernel.quantiseGelu);
    this.#addAndNormalise(hidden, layer.outerNorm, rows);
  }

  #multiply(
    input: number,
    matrix: MatrixPlace,
    rows: number,
    output: number,
    quantise: Quantise = this.#kernel.quantise,
  ): void {
    const { activations, steps } = this.#space;
    const { weights, table, factors, inputs, outputs } = matrix;
    quantise(input, factors, activations, steps, rows, inputs);
    this.#observe?.(matrix, this.#floats(input, rows * inputs));
    this.#kernel.multiply(activations, steps, weights, table, output, rows, inputs, outputs);
  }

  #addAndNormalise(hidden: number, norm: number, rows: number): void {
    const { width, epsilon } = this.#shape;
    const { output } = this.#space;
    this.#kernel.addAndNormalise(hidden, output, norm, this.#row(norm, 1), rows, width, epsilon);
  }

  #floats(at: number, count: number): Float32Array {
    return new Float32Array(this.#memory.buffer, at, count);
  }

  #row(start: number, row: number): number {
    return start + 4 * this.#shape.width * row;
  }
}

/**
 * Returns a copy of the vector, scaled to length 1. The sum of vectors may be passed instead of their mean,
 * because both have the same direction.
 */
function toUnitLength(vector: Float32Array): Float32Array {
  let square = 0;
  for (let i = 0; i < vector.length; i++) square += vector[i]! * vector[i]!;
  const length = Math.sqrt(square) || 1;
  const scaled = new Float32Array(vector.length);
  for (let i = 0; i < scaled.length; i++) scaled[i] = vector[i]! / length;
  return scaled;
}

function workspaceAt(start: number, shape: ModelShape): Workspace {
  const { width, innerWidth, heads } = shape;
  const plan = new MemoryPlan(start);
  const rows = MAX_ROWS + EXTRA_ROWS;
  const chunk = CHUNK + EXTRA_ROWS;
  const headBytes = 4 * (width / heads) * (rows + 4);
  return {
    hidden: plan.take(4 * rows * width),
    projections: plan.take(12 * rows * width),
    output: plan.take(4 * rows * width),
    inner: plan.take(4 * chunk * innerWidth),
    activations: plan.take(Math.max(rows * width, chunk * innerWidth)),
    steps: plan.take(8 * rows),
    attention: plan.take(2 * headBytes + 16 * (rows + 4)),
    end: plan.at,
  };
}
