/**
 * npm run bench:cluster-search -- [--docs 20000] [--queries 200] [--work DIR] [--json]
 *
 * Measures what the network adds to a query: the same documents in one local index, in four shards of this process,
 * and in the same four shards of a search node, which is another process behind loopback.
 *
 * Corpus and queries are the same as in bench/engine. The three engines answer each query in turns, for several
 * rounds, and the best time of each query counts, because other work on the machine can only add time. `cpu` is
 * the processor time of this process per query. With `--work` the indexes are kept for the next run.
 *
 * Ratios: `cpuRatio` is the processor time of the remote shards, in this process and in the search node, divided by that of the
 * local index; `p50Ratio` is the same for the median time. `addedP95` is the p95 of the remote shards minus the p95 of the local index, in ms; its bar is 5.
 * `networkP95` is the p95 of the remote shards minus the p95 of the same shards in this process.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openDirectory, silentLog, systemClock } from '../../src/base/mod.ts';
import { messageKey, replicatedShard, SearchNodes } from '../../src/cluster/mod.ts';
import { IndexReader } from '../../src/index/mod.ts';
import { Gateway, LocalShard } from '../../src/query/mod.ts';
import { freePort } from '../free-port.ts';
import { type BenchRow, report } from '../report.ts';
import { mean, quantile } from '../statistics.ts';

const ENGINE = join(import.meta.dirname, '..', 'engine');
const SHARDS = 4;
const ROUNDS = 4;
const SECRET = 'the secret of a benchmark';
const NODE_THREADS = 2;
const REQUEST = { offset: 0, limit: 10, perHost: 2, collapse: true };

interface Engine {
  name: string;
  gateway: Gateway;
  /** The best time of each query, in ms. */
  times: number[];
  cpuMs: number[];
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      docs: { type: 'string', default: '20000' },
      queries: { type: 'string', default: '200' },
      work: { type: 'string' },
      json: { type: 'boolean', default: false },
    },
  });
  const work = values.work ?? mkdtempSync(join(tmpdir(), 'gyre-bench-'));
  const { whole, parts, queries } = prepare(work, values.docs, Number(values.queries));
  const { nodes, nodeCpuMs, stop } = await startNode(parts);
  const engines = [
    engine('one local index', [localShard(whole)]),
    engine('4 local shards', parts.map(localShard)),
    engine(
      '4 remote shards',
      parts.map((_, shard) => replicatedShard(`shard-${shard}`, nodes)),
    ),
  ];
  let nodeBeforeMs = 0;
  for (let round = 0; round < ROUNDS; round++) {
    // As in `measure`, the first round does not count.
    if (round === 1) nodeBeforeMs = nodeCpuMs();
    for (const [at, query] of queries.entries())
      for (const each of engines) await measure(each, at, query, round);
  }
  const nodeMs = (nodeCpuMs() - nodeBeforeMs) / (queries.length * (ROUNDS - 1));
  report(engines.map(rowOf), ratiosOf(engines, nodeMs), values.json);
  for (const { gateway } of engines) gateway.close();
  await nodes.close();
  await stop();
  if (!values.work) rmSync(work, { recursive: true, force: true });
}

/** Makes the corpus, one index of all documents, and four indexes of a quarter of the documents each. */
function prepare(work: string, docs: string, count: number) {
  mkdirSync(work, { recursive: true });
  const corpus = join(work, 'corpus.jsonl');
  const queries = join(work, 'queries.txt');
  const whole = join(work, 'whole');
  if (!existsSync(corpus)) run('corpus.ts', '--out', corpus, '--docs', docs);
  if (!existsSync(queries)) run('queries.ts', '--corpus', corpus, '--out', queries);
  const parts = Array.from({ length: SHARDS }, (_, shard) => join(work, `part-${shard}`));
  build(corpus, whole);
  const lines = readFileSync(corpus, 'utf8').split('\n').filter(Boolean);
  for (const [shard, part] of parts.entries()) {
    const own = `${part}.jsonl`;
    writeFileSync(own, `${lines.filter((_, at) => at % SHARDS === shard).join('\n')}\n`);
    build(own, part);
  }
  return { whole, parts, queries: readFileSync(queries, 'utf8').split('\n').filter(Boolean).slice(0, count) };
}

function build(corpus: string, index: string): void {
  if (!existsSync(join(index, 'manifest.json'))) run('gyre.ts', 'index', corpus, index);
}

function run(script: string, ...args: string[]): void {
  const options = ['--disable-warning=ExperimentalWarning', join(ENGINE, script), ...args];
  execFileSync(process.execPath, options, { stdio: ['ignore', 'ignore', 'inherit'] });
}

function localShard(path: string): LocalShard {
  return new LocalShard(new IndexReader(openDirectory(path), silentLog));
}

function engine(name: string, shards: ConstructorParameters<typeof Gateway>[0]): Engine {
  return { name, gateway: new Gateway(shards, { clock: systemClock }), times: [], cpuMs: [] };
}

async function startNode(parts: readonly string[]) {
  const port = await freePort();
  const script = join(import.meta.dirname, 'served-node.ts');
  const options = [
    '--disable-warning=ExperimentalWarning',
    script,
    String(port),
    SECRET,
    String(NODE_THREADS),
  ];
  const child = spawn(process.execPath, [...options, ...parts], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  const nodes = new SearchNodes(messageKey(SECRET), silentLog);
  await nodes.update([{ node: 'bench', address: `http://127.0.0.1:${port}`, weight: 1 }]);
  const stop = async () => {
    const ended = once(child, 'close');
    child.kill('SIGKILL');
    await ended;
  };
  return { nodes, nodeCpuMs: () => cpuOf(child.pid!), stop };
}

/** Returns the processor time of another process in ms, in steps of 10 ms. */
function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return 10 * (Number(fields[11]) + Number(fields[12]));
}

async function measure({ gateway, times, cpuMs }: Engine, at: number, query: string, round: number) {
  const startMs = performance.now();
  const before = process.cpuUsage();
  await gateway.search({ query, ...REQUEST });
  const { user, system } = process.cpuUsage(before);
  times[at] = Math.min(times[at] ?? Number.POSITIVE_INFINITY, performance.now() - startMs);
  // The first round compiles code and loads postings.
  if (round > 0) cpuMs.push((user + system) / 1000);
}

function rowOf({ name, times, cpuMs }: Engine): BenchRow {
  return { name, p50: quantile(times, 0.5), p95: quantile(times, 0.95), cpu: mean(cpuMs) };
}

function ratiosOf(engines: readonly Engine[], nodeMs: number): Record<string, number> {
  const [wholeMs, , remoteMs] = engines.map(({ cpuMs }) => mean(cpuMs));
  const [wholeP50, , remoteP50] = engines.map(({ times }) => quantile(times, 0.5));
  const cpu = {
    nodeCpu: nodeMs,
    cpuRatio: (remoteMs! + nodeMs) / wholeMs!,
    p50Ratio: remoteP50! / wholeP50!,
  };
  const [whole, local, remote] = engines.map(({ times }) => quantile(times, 0.95));
  return { ...cpu, addedP95: remote! - whole!, networkP95: remote! - local! };
}

await main();
