import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openModelFiles } from '../../src/meaning/model-files.ts';
import { writeTinyModel } from '../../src/meaning/tiny-model.fixture.ts';
import { cosine, cpuMilliseconds, type Encode, randomText } from './measure.ts';
import { onnxModelOf } from './onnx-model.ts';

test('encoders take turns and have a time each', async () => {
  const calls: string[] = [];
  const encoder =
    (name: string): Encode =>
    async (ids) => {
      calls.push(name);
      return Float32Array.from(ids);
    };
  const times = await cpuMilliseconds([encoder('a'), encoder('b')], randomText([1, 2, 3], 512), 2);
  assert.equal(times.length, 2);
  assert.deepEqual(calls, ['a', 'b', 'a', 'b', 'a', 'b']);
  assert.equal(cosine([1, 1], [2, 2]).toFixed(6), '1.000000');
});

test('the ONNX file has the weights of the model in 8 bits', () => {
  const files = openModelFiles(writeTinyModel());
  const { width, innerWidth, layers, vocabularySize } = files.shape;
  const weights = layers * (4 * width * width + 2 * width * innerWidth) + vocabularySize * width;
  const { bytes } = onnxModelOf(files, true);
  assert.ok(bytes.length > weights && bytes.length < 3 * weights, `${bytes.length} for ${weights}`);
  files.tensors.close();
});
