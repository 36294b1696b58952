/**
 * Measures the cost of computing the vector of a text: CPU milliseconds for texts of 16, 128 and 256 tokens.
 * The kernel of Gyre and ONNX Runtime (native code, one thread), both with weights of 8 bits, run in turns.
 * Also measures how near the vectors are to those of a plain forward pass (cosine), memory, and installed
 * megabytes.
 *
 *   npm run bench:meaning -- [--model DIR] [--rounds 9] [--json] [--data DIR --queries FILE [--queryRounds 2]]
 *
 * ONNX Runtime runs a graph that is made from the same weights (`onnx-model.ts`), with unsigned weights as in
 * the published files, and with signed weights, which ONNX Runtime multiplies twice as fast. The bar, for 128
 * tokens: Gyre takes at most twice the time of ONNX Runtime with unsigned weights.
 *
 * With a data directory whose pages have vectors, and a file of judged queries (`realweb/judged-queries.ts`):
 * also measures the time of these queries and the memory of `gyre serve`, with search by meaning and without.
 * The bars: with meaning, the mean query takes at most 8 ms more, a query that is not searched by meaning takes
 * no more time, and the server at most 120 MB more. `gyre serve` writes to the directory: pass a copy.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { loadConfig } from '../../src/cli/settings/mod.ts';
import { loadSharedModel } from '../../src/cli/threads/mod.ts';
import { embedderOf } from '../../src/meaning/embedder.ts';
import { Encoder } from '../../src/meaning/encoder.ts';
import { defaultModelDirectory, type LoadedModel } from '../../src/meaning/load-model.ts';
import { openModelFiles } from '../../src/meaning/model-files.ts';
import { encodePlainly } from '../../src/meaning/reference-encoder.fixture.ts';
import { parseJudgedQueries } from '../realweb/judged-queries.ts';
import { type BenchRow, report } from '../report.ts';
import { ensurePackages } from '../rivals.ts';
import { cosine, cpuMilliseconds, type Encode, randomText } from './measure.ts';
import { openOnnxRuntime } from './onnx-runtime.ts';
import { measureQueries, queryRows } from './query-cost.ts';
import { servingRows } from './serving-memory.ts';

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
    data: { type: 'string' },
    queries: { type: 'string' },
    queryRounds: { type: 'string', default: '2' },
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

if (values.data && values.queries) await reportQueries(values.data, values.queries);

/**
 * Loads the model as a server does: another thread packs the weights and then ends, so that its memory is
 * freed.
 */
async function openKernel(): Promise<Encode> {
  const work = mkdtempSync(join(tmpdir(), 'gyre-bench-'));
  try {
    const { shape, memory } = await loadIn(work);
    const encoder = new Encoder(shape, memory);
    return async (ids) => encoder.encode([ids])[0]!;
  } finally {
    rmSync(work, { recursive: true });
  }
}

async function loadIn(data: string): Promise<LoadedModel> {
  return (await loadSharedModel(configOf(data), 1))!;
}

function configOf(data: string) {
  const environment = { GYRE_DATA: data, GYRE_MEANING_MODEL: values.model };
  return loadConfig({ flags: {}, environment, file: undefined });
}

async function reportQueries(data: string, file: string): Promise<void> {
  const queries = parseJudgedQueries(readFileSync(file, 'utf8')).map(({ query }) => query);
  const embedder = embedderOf(await loadIn(data));
  const rounds = Number(values.queryRounds);
  const costs = await measureQueries(configOf(data), embedder, queries, rounds);
  report(queryRows(costs, rounds), {}, values.json);
  const memory = await servingRows(data, queries);
  const addedMB = Number(memory[1]!.memoryMB) - Number(memory[0]!.memoryMB);
  report(memory, { 'megabytes more with meaning': addedMB }, values.json);
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
