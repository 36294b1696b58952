import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { loadModel } from './load-model.ts';
import { openModelFiles } from './model-files.ts';
import { safetensorsOf, temporaryDirectory, writeTinyModel } from './tiny-model.fixture.ts';

/**
 * Opens the model in `directory`, and returns the code and the message of the error, without the path and the
 * advice.
 */
function refusal(directory: string): string {
  try {
    loadModel(directory);
    return 'none';
  } catch (error) {
    const { code, message } = error as Error & { code: string };
    return `${code} ${message.split(';')[0]!.replaceAll(directory, 'DIR')}`;
  }
}

test('a model is opened whatever the prefix of its tensors and the name of its weights', () => {
  const plain = writeTinyModel();
  renameSync(join(plain, 'model.safetensors'), join(plain, 'model.fp32.safetensors'));
  assert.equal(refusal(plain), 'none');
  assert.equal(refusal(writeTinyModel({ prefix: 'bert.' })), 'none');
});

test('a missing directory or file is named, with what to do', () => {
  const directory = writeTinyModel();
  assert.equal(
    refusal(`${directory}/none`),
    'model-missing DIR: expected a directory with a model, got none',
  );
  rmSync(join(directory, 'tokenizer.json'));
  assert.equal(refusal(directory), 'model-missing DIR/tokenizer.json: expected a file, got none');
  rmSync(join(directory, 'config.json'));
  assert.equal(refusal(directory), 'model-missing DIR/config.json: expected a file, got none');
  rmSync(join(directory, 'model.safetensors'));
  assert.equal(refusal(directory), 'model-missing DIR/model.safetensors: expected a file, got none');
  assert.throws(() => openModelFiles(directory), /install the optional package/);
});

test('a directory with ONNX files only is refused', () => {
  const directory = temporaryDirectory();
  mkdirSync(join(directory, 'onnx'));
  writeFileSync(join(directory, 'onnx', 'model_quantized.onnx'), '');
  assert.equal(
    refusal(directory),
    'model-unsupported DIR: expected model.safetensors, got the ONNX file model_quantized.onnx',
  );
  assert.throws(() => openModelFiles(directory), /in safetensors format/);
});

test('weights in several files are refused', () => {
  const directory = writeTinyModel();
  const weights = readFileSync(join(directory, 'model.safetensors'));
  rmSync(join(directory, 'model.safetensors'));
  for (const part of [1, 2]) writeFileSync(join(directory, `model-0000${part}-of-2.safetensors`), weights);
  assert.equal(
    refusal(directory),
    'model-unsupported DIR: expected weights in one file, got 2 .safetensors files',
  );
});

test('another architecture or pooling is refused', () => {
  assert.equal(
    refusal(writeTinyModel({ config: { model_type: 'xlm-roberta' } })),
    'model-unsupported DIR/config.json: expected model_type bert, got xlm-roberta',
  );
  assert.match(
    refusal(writeTinyModel({ config: { num_attention_heads: 3 } })),
    /^model-unsupported DIR\/config.json: expected sizes of multiples of 16/,
  );
  const directory = writeTinyModel();
  mkdirSync(join(directory, '1_Pooling'));
  writeFileSync(join(directory, '1_Pooling', 'config.json'), '{"pooling_mode_cls_token":true}');
  assert.match(refusal(directory), /expected pooling_mode_mean_tokens, got undefined$/);
});

test('sizes that are no sizes are refused', () => {
  assert.equal(
    refusal(writeTinyModel({ config: { hidden_size: 'large' } })),
    'model-damaged DIR/config.json: expected hidden_size from 1 to 4096, got "large"',
  );
  assert.match(refusal(writeTinyModel({ config: { num_hidden_layers: 1e9 } })), /^model-damaged/);
  assert.match(
    refusal(writeTinyModel({ config: { vocab_size: 5 } })),
    /^model-damaged DIR\/tokenizer.json: expected ids below the vocab_size 5 of config.json, got 13$/,
  );
});

test('missing tensors, wrong shapes and numbers that are none are found', () => {
  const name = 'encoder.layer.1.output.dense.weight';
  assert.equal(
    refusal(writeTinyModel({ tensors: (tensors) => tensors.delete(name) })),
    `model-damaged DIR/model.safetensors: expected a tensor ${name}, got none among 36 tensors`,
  );
  const tooNarrow = { shape: [32, 32], numbers: new Float32Array(32 * 32) };
  assert.equal(
    refusal(writeTinyModel({ tensors: (tensors) => tensors.set(name, tooNarrow) })),
    `model-damaged DIR/model.safetensors: expected ${name} of shape 32,64, got 32,32`,
  );
  const notFinite = { shape: [32, 64], numbers: new Float32Array(32 * 64).fill(Number.NaN) };
  assert.equal(
    refusal(writeTinyModel({ tensors: (tensors) => tensors.set(name, notFinite) })),
    `model-damaged DIR/model.safetensors: expected finite numbers in ${name}, got NaN or infinity`,
  );
});

test('truncated and foreign weights are found', () => {
  const directory = writeTinyModel();
  const path = join(directory, 'model.safetensors');
  const whole = readFileSync(path);
  truncateSync(path, whole.length - 1);
  assert.match(refusal(directory), /^model-damaged .* of the data, got only \d+ bytes of data$/);
  truncateSync(path, 100);
  assert.match(refusal(directory), /expected a safetensors header within the file/);
  truncateSync(path, 3);
  assert.match(refusal(directory), /expected a safetensors header, got 3 bytes/);
  writeFileSync(path, 'PK\u0003\u0004 something else altogether');
  assert.match(refusal(directory), /expected a safetensors header within the file/);
  writeFileSync(path, Buffer.concat([Buffer.from([2, 0, 0, 0, 0, 0, 0, 0]), Buffer.from('[}')]));
  assert.match(refusal(directory), /expected a safetensors header in JSON/);
  const wrongSize = safetensorsOf(new Map([['x', { shape: [3], numbers: new Float32Array(2) }]]));
  writeFileSync(path, wrongSize);
  assert.match(refusal(directory), /expected 12 bytes for x of shape 3, got 8 bytes/);
});
