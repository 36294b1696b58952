/**
 * Runs the encoder over a batch of texts: token ids in, the mean vector of each text out.
 *
 * The tokens of all texts of a batch are rows of one matrix, without padding; only attention works text by text. The
 * weights are in shared memory, which several threads may use at once. Encoders that run at the same time have different
 * workspaces in the same memory.
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
  /** Replaces the input by its GELU. */
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

/** Buffers of one encoder. Each has room for the rows that the kernel adds to round up. */
interface Workspace {
  /** f32 [row][width]: the state of each token. */
  hidden: number;
  /** f32 [row][3 · width]: query, key and value. */
  projections: number;
  /** f32 [row][width]: the output of a part of a layer. */
  output: number;
  /** f32 [chunk row][inner width] */
  inner: number;
  /** 7-bit activations of the next product, and their steps. */
  activations: number;
  steps: number;
  attention: number;
  end: number;
}

/** Tokens that are encoded at once, and therefore the greatest length of a text. */
export const MAX_ROWS = 512;

const PAGE_BYTES = 65536;
/** Rows that the feed-forward network processes at once: its buffers stay in the second-level cache. */
const CHUNK = 64;
/** Kernel functions write up to three rows more than they are asked for. */
const EXTRA_ROWS = 4;

/** Is called with the inputs [row][input] of a matrix, before they are multiplied by its factors. */
type InputObserver = (matrix: MatrixPlace, inputs: Float32Array) => void;

/** The pages of memory for the weights and the given number of workspaces. */
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

  /** The memory has the packed weights of the model and, after them, workspaces, which are numbered from 0. */
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

  /** Returns the mean of the token vectors of each text, scaled to length 1. No text has more than MAX_ROWS tokens. */
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

/** Returns a copy of length 1; the sum of the rows has the direction of their mean. */
function toUnitLength(vector: Float32Array): Float32Array {
  const length = Math.sqrt(vector.reduce((sum, x) => sum + x * x, 0));
  return vector.map((x) => x / (length || 1));
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
