/**
 * Turns texts into short vectors of 8-bit numbers.
 *
 *   text -> tokens -> encoder -> mean of the tokens, length 1 -> projection, length 1 -> times 256, rounded
 *
 * All vectors have the same scale, so that dot products can be compared over all pages: the dot product of two
 * vectors divided by 65,536 is the cosine of the angle between them. A number beyond ±127/256 is limited to
 * this value; in practice there are no such numbers.
 */
import { Encoder, MAX_ROWS } from './encoder.ts';
import { type LoadedModel, loadModel } from './load-model.ts';
import { dimensionOf, layoutOf } from './model-layout.ts';
import { Tokenizer } from './tokenizer.ts';

/**
 * Turns texts into vectors; the dot product of two vectors says how close the meanings of the texts are. One
 * embedder must not be used by two threads at once.
 */
export interface Embedder {
  /**
   * A hash of the model's files and of the format of its vectors. Vectors of embedders with different ids are
   * not comparable.
   */
  readonly modelId: string;
  /** The number of dimensions of a vector. */
  readonly dimension: number;
  /**
   * The maximum number of tokens of a text, including the special tokens at its beginning and end. Further
   * tokens are ignored.
   */
  readonly maxTokens: number;
  /** Returns a vector for each text, synchronously. Takes about 30 ms for a text of 128 tokens. */
  embed(texts: readonly string[]): Int8Array[];
  /** Returns true if the model was trained on texts in the language, given as an ISO 639 code. */
  knowsLanguage(language: string): boolean;
}

/** Vectors of length 1 are multiplied by this number before they are rounded. */
const VECTOR_SCALE = 256;
/** The maximum number of tokens of a text, used if the model states no limit. */
const USUAL_LENGTH = 256;
/**
 * A model with more pieces in its vocabulary counts as multilingual. English models have about 30,000 pieces,
 * multilingual models 100,000 or more.
 */
const MULTILINGUAL_SIZE = 60_000;

/**
 * Opens the model in `directory`. Its packed weights are kept in `cacheDirectory`, if given, to make the next
 * start faster.
 */
export function openEmbedder(directory: string, cacheDirectory?: string): Embedder {
  return embedderOf(loadModel(directory, cacheDirectory));
}

/**
 * Makes an embedder for a loaded model. `number` chooses its memory for intermediate results. Embedders that
 * run at the same time in different threads need different numbers, all below `model.embedders`.
 */
export function embedderOf(model: LoadedModel, number = 0): Embedder {
  const { modelId, shape, memory, embedders, tokenizerJson, tokenizerPath } = model;
  if (number >= embedders) throw new RangeError(`embedder ${number} of a model loaded for ${embedders}`);
  const tokenizer = new Tokenizer(tokenizerJson, tokenizerPath);
  const maxTokens = Math.min(tokenizer.maxLength ?? USUAL_LENGTH, shape.positions, MAX_ROWS);
  const encoder = new Encoder(shape, memory, number);
  const dimension = dimensionOf(shape);
  const projection = new Float32Array(memory.buffer, layoutOf(shape).projection, dimension * shape.width);
  const isMultilingual = shape.vocabularySize > MULTILINGUAL_SIZE;
  return {
    modelId,
    dimension,
    maxTokens,
    embed: (texts) =>
      encoder
        .encode(texts.map((text) => tokenizer.encode(text, maxTokens)))
        .map((vector) => toBytes(project(vector, projection, dimension))),
    knowsLanguage: (language) => isMultilingual || /^en\b/i.test(language),
  };
}

function project(vector: Float32Array, projection: Float32Array, dimension: number): Float64Array {
  const projected = new Float64Array(dimension);
  for (let row = 0, from = 0; row < dimension; row++, from += vector.length) {
    let sum = 0;
    for (let i = 0; i < vector.length; i++) sum += vector[i]! * projection[from + i]!;
    projected[row] = sum;
  }
  return projected;
}

function toBytes(vector: Float64Array): Int8Array {
  let square = 0;
  for (let i = 0; i < vector.length; i++) square += vector[i]! * vector[i]!;
  const scale = square > 0 ? VECTOR_SCALE / Math.sqrt(square) : 0;
  const bytes = new Int8Array(vector.length);
  for (let i = 0; i < bytes.length; i++)
    bytes[i] = Math.max(-127, Math.min(127, Math.round(vector[i]! * scale)));
  return bytes;
}
