/**
 * For tests: writes a tiny random model of the BERT family to a directory, with two layers, two heads and 32
 * dimensions.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { Random } from '../base/mod.ts';
import { type ModelShape, tensorShapes } from './model-files.ts';

const PIECES = [
  '[PAD]',
  '[UNK]',
  '[CLS]',
  '[SEP]',
  'a',
  'b',
  'c',
  '##a',
  '##b',
  '##c',
  '.',
  'alpha',
  'beta',
  'gamma',
];

const SHAPE: ModelShape = {
  layers: 2,
  heads: 2,
  width: 32,
  innerWidth: 64,
  vocabularySize: PIECES.length,
  positions: 64,
  epsilon: 1e-12,
};

const CONFIG = {
  model_type: 'bert',
  hidden_act: 'gelu',
  num_hidden_layers: SHAPE.layers,
  num_attention_heads: SHAPE.heads,
  hidden_size: SHAPE.width,
  intermediate_size: SHAPE.innerWidth,
  vocab_size: SHAPE.vocabularySize,
  max_position_embeddings: SHAPE.positions,
  layer_norm_eps: SHAPE.epsilon,
};

export const TINY_TOKENIZER = {
  normalizer: { type: 'BertNormalizer', lowercase: true },
  pre_tokenizer: { type: 'BertPreTokenizer' },
  model: { type: 'WordPiece', vocab: Object.fromEntries(PIECES.map((piece, id) => [piece, id])) },
};

type Tensors = Map<string, { shape: number[]; numbers: Float32Array }>;

interface TinyModelChanges {
  config?: object;
  tokenizer?: object;
  /** A callback that changes or removes tensors before they are written, to make a damaged model. */
  tensors?: (tensors: Tensors) => void;
  prefix?: string;
}

/** Returns a new temporary directory, which is removed after the tests of the file. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'gyre-meaning-'));
  after(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

export function writeTinyModel(changes: TinyModelChanges = {}): string {
  const directory = join(temporaryDirectory(), 'model');
  mkdirSync(directory);
  writeFileSync(join(directory, 'config.json'), JSON.stringify({ ...CONFIG, ...changes.config }));
  writeFileSync(
    join(directory, 'tokenizer.json'),
    JSON.stringify({ ...TINY_TOKENIZER, ...changes.tokenizer }),
  );
  const tensors = randomTensors(changes.prefix ?? '');
  changes.tensors?.(tensors);
  writeFileSync(join(directory, 'model.safetensors'), safetensorsOf(tensors));
  return directory;
}

function randomTensors(prefix: string): Tensors {
  const random = new Random(7);
  const shapes = tensorShapes(SHAPE).set('embeddings.token_type_embeddings.weight', [2, SHAPE.width]);
  return new Map(
    Array.from(shapes, ([name, shape]) => {
      const count = shape.reduce((product, size) => product * size, 1);
      const mean = name.endsWith('LayerNorm.weight') ? 1 : 0;
      const numbers = Float32Array.from({ length: count }, () => mean + (random.next() - 0.5) / 2);
      return [prefix + name, { shape, numbers }];
    }),
  );
}

/** Returns the bytes of a safetensors file with tensors of type F32. */
export function safetensorsOf(tensors: Tensors): Buffer {
  let at = 0;
  const entries = Array.from(tensors, ([name, { shape, numbers }]) => {
    const begin = at;
    at += numbers.byteLength;
    return [name, { dtype: 'F32', shape, data_offsets: [begin, at] }];
  });
  const header = Buffer.from(JSON.stringify(Object.fromEntries(entries)));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(header.length));
  const data = Array.from(tensors.values(), ({ numbers }) => Buffer.from(numbers.buffer));
  return Buffer.concat([length, header, ...data]);
}
