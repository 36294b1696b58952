/**
 * Computes the memory addresses of the packed weights of a model. The file of packed weights has them in the
 * same order (`packed-model.ts`). All addresses are multiples of 64.
 *
 *   words            i8 [word][dimension], with a step for each word: 1/127 of its greatest number
 *   wordSteps        f32 [word]
 *   positions        f32 [position][dimension], to which the embedding of the first token type is added
 *   embeddingNorm    f32 gains, then biases
 *   layers           the matrices of each layer, and its two norms
 *   projection       f32 [dimension of the stored vector][dimension]
 *
 * A matrix is `weights` and `table` in the layout of `kernels/assembly/multiply.ts`, and f32 [input] `factors`.
 */
import type { ModelShape } from './model-files.ts';

/** The memory addresses of a matrix that maps a vector of `inputs` numbers to a vector of `outputs` numbers. */
export interface MatrixPlace {
  inputs: number;
  outputs: number;
  weights: number;
  table: number;
  /**
   * The address of the factors, one for each input. The input is multiplied by its factor, and the weights of
   * the input are divided by it.
   */
  factors: number;
}

export interface LayerPlace {
  /** The matrix that computes the query, key and value vectors of attention. */
  attention: MatrixPlace;
  attentionOutput: MatrixPlace;
  attentionNorm: number;
  inner: MatrixPlace;
  outer: MatrixPlace;
  outerNorm: number;
}

export interface ModelLayout {
  words: number;
  wordSteps: number;
  positions: number;
  embeddingNorm: number;
  layers: LayerPlace[];
  projection: number;
  /** The address after the last weight. */
  end: number;
}

/** The address of the first weight. Address 0 is never used, so that 0 can mean "none". */
export const WEIGHTS_AT = 64;
/**
 * The maximum number of dimensions of a vector that is stored for a text. Vectors with more dimensions are
 * projected to this number of dimensions; other vectors are stored as they are.
 */
const MAX_DIMENSION = 256;

export function dimensionOf(shape: ModelShape): number {
  return Math.min(shape.width, MAX_DIMENSION);
}

/** Assigns memory addresses to buffers, one after the other. */
export class MemoryPlan {
  #at: number;

  constructor(start: number) {
    this.#at = start;
  }

  get at(): number {
    return this.#at;
  }

  take(bytes: number): number {
    const start = this.#at;
    this.#at = (start + bytes + 63) & ~63;
    return start;
  }
}

export function layoutOf(shape: ModelShape): ModelLayout {
  const { width, innerWidth } = shape;
  const plan = new MemoryPlan(WEIGHTS_AT);
  const matrix = (inputs: number, outputs: number): MatrixPlace => ({
    inputs,
    outputs,
    weights: plan.take(inputs * outputs),
    table: plan.take(12 * outputs),
    factors: plan.take(4 * inputs),
  });
  const norm = (): number => plan.take(8 * width);
  const words = plan.take(shape.vocabularySize * width);
  const wordSteps = plan.take(4 * shape.vocabularySize);
  const positions = plan.take(4 * shape.positions * width);
  const embeddingNorm = norm();
  const layers = Array.from({ length: shape.layers }, () => ({
    attention: matrix(width, 3 * width),
    attentionOutput: matrix(width, width),
    attentionNorm: norm(),
    inner: matrix(width, innerWidth),
    outer: matrix(innerWidth, width),
    outerNorm: norm(),
  }));
  const projection = plan.take(4 * dimensionOf(shape) * width);
  return { words, wordSteps, positions, embeddingNorm, layers, projection, end: plan.at };
}
