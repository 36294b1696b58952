/**
 * Reads a directory with a sentence embedding model of the BERT family, as published on Hugging Face:
 *
 *   config.json         numbers of layers, heads and dimensions
 *   model.safetensors   weights; any other name that ends in .safetensors if there is only one
 *   tokenizer.json      vocabulary and rules of the tokenizer
 *
 * `openModelFiles` checks that the three files agree: every tensor exists with the shape that follows from the
 * config. The vector of a text is the mean of the vectors of its tokens; models with another pooling are
 * refused.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { directoryAt } from '../base/mod.ts';
import { modelError } from './model-error.ts';
import { Safetensors } from './safetensors.ts';
import { Tokenizer } from './tokenizer.ts';

/** The sizes of a model, which determine the layout of its weights in memory. */
export interface ModelShape {
  layers: number;
  heads: number;
  /** The number of dimensions of the vector of a token. */
  width: number;
  /** The number of dimensions of the hidden layer of the feed-forward network. */
  innerWidth: number;
  vocabularySize: number;
  /** The maximum number of tokens in a text: the model has a vector for each position. */
  positions: number;
  epsilon: number;
}

export interface ModelFiles {
  shape: ModelShape;
  tensors: Safetensors;
  /** The prefix of all tensor names in the file of weights, such as `bert.`. */
  prefix: string;
  tokenizer: Tokenizer;
  tokenizerJson: string;
}

const CONFIG = 'config.json';
const TOKENIZER = 'tokenizer.json';
const POOLING = '1_Pooling/config.json';
const HASHED_BYTES = 1024 * 1024;

/** Opens and checks the files of a model. The caller closes `tensors`, the open file of weights. */
export function openModelFiles(directory: string): ModelFiles {
  const config = readJson(directory, CONFIG);
  const shape = checkConfig(config, join(directory, CONFIG));
  checkPooling(directory);
  const tokenizerJson = readRequired(directory, TOKENIZER).toString();
  const tokenizer = new Tokenizer(tokenizerJson, join(directory, TOKENIZER));
  if (tokenizer.vocabularySize > shape.vocabularySize) {
    const expected = `ids below the vocab_size ${shape.vocabularySize} of ${CONFIG}`;
    throw modelError(
      'model-damaged',
      join(directory, TOKENIZER),
      expected,
      `${tokenizer.vocabularySize - 1}`,
    );
  }
  const name = findWeights(directory);
  const tensors = new Safetensors(directory, name);
  try {
    const prefix = tensors.has('bert.embeddings.word_embeddings.weight') ? 'bert.' : '';
    checkShapes(tensors, prefix, shape, join(directory, name));
    return { shape, tensors, prefix, tokenizer, tokenizerJson };
  } catch (error) {
    tensors.close();
    throw error;
  }
}

/** Throws a UsageError if the model directory is missing, damaged or of an unsupported kind. */
export function checkModel(directory: string): void {
  openModelFiles(directory).tensors.close();
}

/**
 * Returns a hash of `vectorFormat` and of all files that the vectors depend on. Reads these files completely.
 */
export function hashModel(directory: string, vectorFormat: string): string {
  const hash = createHash('sha256').update(vectorFormat);
  const piece = Buffer.allocUnsafe(HASHED_BYTES);
  for (const name of [CONFIG, TOKENIZER, findWeights(directory)]) {
    if (!existsSync(join(directory, name))) throw missing(directory, name);
    const file = directoryAt(directory).open(name);
    for (let at = 0; at < file.size; at += HASHED_BYTES) {
      hash.update(file.read(at, Math.min(HASHED_BYTES, file.size - at), piece));
    }
    file.close();
  }
  return hash.digest('hex').slice(0, 32);
}

/**
 * Returns the names and shapes of the tensors that a model of this shape must have; the names are without the
 * prefix.
 */
export function tensorShapes(shape: ModelShape): Map<string, number[]> {
  const { width, innerWidth } = shape;
  const shapes = new Map<string, number[]>([
    ['embeddings.word_embeddings.weight', [shape.vocabularySize, width]],
    ['embeddings.position_embeddings.weight', [shape.positions, width]],
  ]);
  const addNorm = (name: string) =>
    shapes.set(`${name}.LayerNorm.weight`, [width]).set(`${name}.LayerNorm.bias`, [width]);
  const addDense = (name: string, outputs: number, inputs: number) =>
    shapes.set(`${name}.weight`, [outputs, inputs]).set(`${name}.bias`, [outputs]);
  addNorm('embeddings');
  for (let layer = 0; layer < shape.layers; layer++) {
    const name = `encoder.layer.${layer}`;
    for (const part of ['query', 'key', 'value']) addDense(`${name}.attention.self.${part}`, width, width);
    addDense(`${name}.attention.output.dense`, width, width);
    addNorm(`${name}.attention.output`);
    addDense(`${name}.intermediate.dense`, innerWidth, width);
    addDense(`${name}.output.dense`, width, innerWidth);
    addNorm(`${name}.output`);
  }
  return shapes;
}

function checkShapes(tensors: Safetensors, prefix: string, shape: ModelShape, path: string): void {
  for (const [name, expected] of tensorShapes(shape)) {
    const got = tensors.shapeOf(prefix + name);
    if (got.join() !== expected.join()) {
      throw modelError('model-damaged', path, `${prefix}${name} of shape ${expected}`, `${got}`);
    }
  }
  const kinds = 'embeddings.token_type_embeddings.weight';
  if (tensors.shapeOf(prefix + kinds)[1] !== shape.width) {
    throw modelError('model-damaged', path, `${kinds} of width ${shape.width}`, 'another');
  }
}

function checkConfig(config: Record<string, unknown>, path: string): ModelShape {
  const required: [string, unknown][] = [
    ['model_type', 'bert'],
    ['hidden_act', 'gelu'],
    ['position_embedding_type', 'absolute'],
  ];
  for (const [key, expected] of required) {
    const got = config[key] ?? expected;
    if (got !== expected) throw modelError('model-unsupported', path, `${key} ${expected}`, `${got}`);
  }
  const count = (key: string, most: number): number => {
    const value = config[key];
    if (Number.isSafeInteger(value) && (value as number) > 0 && (value as number) <= most)
      return value as number;
    throw modelError('model-damaged', path, `${key} from 1 to ${most}`, JSON.stringify(value) ?? 'none');
  };
  const shape: ModelShape = {
    layers: count('num_hidden_layers', 48),
    heads: count('num_attention_heads', 64),
    width: count('hidden_size', 4096),
    innerWidth: count('intermediate_size', 16384),
    vocabularySize: count('vocab_size', 1_000_000),
    positions: count('max_position_embeddings', 8192),
    epsilon: typeof config.layer_norm_eps === 'number' ? config.layer_norm_eps : 1e-12,
  };
  const headWidth = shape.width / shape.heads;
  if (headWidth % 8 !== 0 || shape.width % 16 !== 0 || shape.innerWidth % 16 !== 0) {
    const got = `hidden_size ${shape.width}, ${shape.heads} heads, intermediate_size ${shape.innerWidth}`;
    throw modelError('model-unsupported', path, 'sizes of multiples of 16 and heads of multiples of 8', got);
  }
  return shape;
}

function checkPooling(directory: string): void {
  if (!existsSync(join(directory, POOLING))) return;
  const { pooling_mode_mean_tokens: isMean } = readJson(directory, POOLING);
  if (isMean !== true) {
    throw modelError('model-unsupported', join(directory, POOLING), 'pooling_mode_mean_tokens', `${isMean}`);
  }
}

/** Returns the name of the file with the weights. */
function findWeights(directory: string): string {
  if (!existsSync(directory)) {
    throw modelError('model-missing', directory, 'a directory with a model', 'none');
  }
  const names = readdirSync(directory);
  const found = names.filter((name) => name.endsWith('.safetensors'));
  if (found.includes('model.safetensors')) return 'model.safetensors';
  if (found.length === 1) return found[0]!;
  if (found.length > 1) {
    throw modelError(
      'model-unsupported',
      directory,
      'weights in one file',
      `${found.length} .safetensors files`,
    );
  }
  const onnx = [...names, ...(names.includes('onnx') ? readdirSync(join(directory, 'onnx')) : [])].find(
    (name) => name.endsWith('.onnx'),
  );
  if (onnx) throw modelError('model-unsupported', directory, 'model.safetensors', `the ONNX file ${onnx}`);
  throw missing(directory, 'model.safetensors');
}

function missing(directory: string, name: string): Error {
  return modelError('model-missing', join(directory, name), 'a file', 'none');
}

function readRequired(directory: string, name: string): Buffer {
  // First checks that the directory exists and has weights. Without this check, the error would only name some
  // missing file.
  findWeights(directory);
  if (!existsSync(join(directory, name))) throw missing(directory, name);
  return directoryAt(directory).read(name);
}

function readJson(directory: string, name: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(readRequired(directory, name).toString());
    if (typeof parsed === 'object' && parsed !== null) return parsed as Record<string, unknown>;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw modelError('model-damaged', join(directory, name), 'a JSON object', 'something else');
}
