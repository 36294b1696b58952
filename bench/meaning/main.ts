/**
 * Measures the cost of computing the vector of a text: CPU milliseconds for texts of 16, 128 and 256 tokens.
 * The kernel of Gyre and ONNX Runtime (native code, one thread), both with weights of 8 bits, run in turns.
 * Also measures how near the vectors are to those of a plain forward pass (cosine), memory, and installed
 * megabytes.
 *
 *   npm run bench:meaning -- [--model DIR] [--rounds 9] [--json]
 *
 * ONNX Runtime runs a graph that is made from the same weights (`onnx-model.ts`), with unsigned weights as in
 * the published files, and with signed weights, which it multiplies twice as fast. The bar, at 128 tokens:
 * Gyre takes at most twice the time of ONNX Runtime with unsigned weights.
 */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Encoder } from '../../src/meaning/encoder.ts';
import { defaultModelDirectory, loadModel } from '../../src/meaning/load-model.ts';
import { openModelFiles } from '../../src/meaning/model-files.ts';
import { encodePlainly } from '../../src/meaning/reference-encoder.fixture.ts';
import { type BenchRow, report } from '../report.ts';
import { ensurePackages } from '../rivals.ts';
import { cosine, cpuMilliseconds, type Encode, randomText } from './measure.ts';
import { openOnnxRuntime } from './onnx-runtime.ts';

const LENGTHS = [16, 128, 256];
const TEXTS = [
  'How do I join two tables?',
  'Boil the water, add the tea and wait for three minutes.',
  'The frontier parks a host after five timeouts.',
];

const { values } = parseArgs({
  options: {
    model: { type: 'string', default: defaultModelDirectory() ?? '' },
    rounds: { type: 'string', default: '9' },
    json: { type: 'boolean', default: false },
  },
});

ensurePackages(import.meta.dirname);
const files = openModelFiles(values.model);
const contestants: [string, number, () => Promise<Encode>][] = [
  ['gyre', megabytesIn(values.model), openKernel],
  ['onnxruntime-node, unsigned', megabytesIn(packages()), () => openOnnxRuntime(files, false)],
  ['onnxruntime-node, signed', megabytesIn(packages()), () => openOnnxRuntime(files, true)],
];
const texts = TEXTS.map((text) => files.tokenizer.encode(text, 128));
const encoders: Encode[] = [];
const rows: BenchRow[] = [];
for (const [name, installedMB, open] of contestants) {
  const before = memoryMB();
  const encode = await open();
  for (const ids of texts) await encode(ids);
  const memory = memoryMB() - before;
  encoders.push(encode);
  rows.push({ name, installedMB, memoryMB: memory, cosine: await leastCosine(encode) });
}
for (const length of LENGTHS) {
  const ids = randomText(files.tokenizer.wordIds(), length);
  const times = await cpuMilliseconds(encoders, ids, Number(values.rounds));
  for (const [i, row] of rows.entries()) row[`ms${length}`] = times[i]!;
}
report(
  rows,
  Object.fromEntries(
    rows
      .slice(1)
      .flatMap((rival) =>
        LENGTHS.map((n) => [
          `${n} tokens against ${rival.name}`,
          Number(rows[0]![`ms${n}`]) / Number(rival[`ms${n}`]),
        ]),
      ),
  ),
  values.json,
);

async function openKernel(): Promise<Encode> {
  const { shape, memory } = loadModel(values.model);
  const encoder = new Encoder(shape, memory);
  return async (ids) => encoder.encode([ids])[0]!;
}

async function leastCosine(encode: Encode): Promise<number> {
  let least = 1;
  for (const ids of texts) least = Math.min(least, cosine(await encode(ids), encodePlainly(files, ids)));
  return least;
}

function memoryMB(): number {
  globalThis.gc?.();
  return process.memoryUsage().rss / 2 ** 20;
}

function packages(): string {
  return join(import.meta.dirname, 'node_modules');
}

function megabytesIn(directory: string): number {
  const names = readdirSync(directory, { recursive: true, encoding: 'utf8' });
  const sizes = names.map((name) => statSync(join(directory, name))).filter((stat) => stat.isFile());
  return sizes.reduce((sum, { size }) => sum + size, 0) / 1e6;
}
