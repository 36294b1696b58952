/**
 * npm run bench:pagerank — compares PageRank with other libraries, and with the limits of the machine.
 *
 *   --rounds N  iterations of each kernel, taken in turn; the quickest counts (9)
 *   --only PART iterations, build, igraph, graphology, journal or convergence alone
 *   --data DATA the data directory whose link graph `convergence` uses, instead of a synthetic one
 *   --tiny      small graphs, to see that everything runs
 *   --json      one JSON object as the last line
 *
 * Per iteration: R-MAT of scale 20 and 22 and a web-like graph of 50 million edges, on one thread and on two,
 * beside a textbook kernel in C++ with OpenMP. Building: 100 million unsorted edges in a file. End to end:
 * unsorted edges to converged ranks, beside igraph, and on a small graph beside graphology. All programs must
 * agree on the best node, or the benchmark fails. The journal: the time of `gyre rank` for the whole journal,
 * and after one file was added. Convergence: how far ranks are from their fixed point after 1 to 20 iterations.
 *
 * Every bar is a ratio of at most 1: the time of Gyre divided by the time of a rival, or the measured value
 * divided by its limit. The whole benchmark takes a few minutes on two free cores.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { openDirectory } from '../../src/base/mod.ts';
import { RankEngine } from '../../src/graph/pagerank/pagerank.ts';
import { GraphFile } from '../../src/graph/tiles/tiles-reader.ts';
import { type BenchRow, report } from '../report.ts';
import { ensurePackages } from '../rivals.ts';
import { convergenceRows } from './convergence.ts';
import { runGraphology } from './graphology.ts';
import { type EdgeFile, writeRmat, writeWebLike } from './graphs.ts';
import { costOfRanking } from './journal.ts';
import { compileIgraph, runIgraph, Textbook } from './rivals.ts';

interface Measured {
  seconds: number;
  cpuSeconds: number;
  peakBytes: number;
  edgeCount: number;
  iterations?: number;
  best?: number;
}

const MEGA = 1_000_000;
const MAX_BYTES_PER_EDGE = 6;
/**
 * The pause in milliseconds after an iteration of the rival. Its OpenMP threads spin for a moment, and the
 * iteration of Gyre must not share the machine with them.
 */
const SETTLE_MS = 30;

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '9' },
    only: { type: 'string' },
    data: { type: 'string' },
    tiny: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});
const sizes = values.tiny
  ? {
      scales: [10, 12],
      web: 0.2 * MEGA,
      build: 0.3 * MEGA,
      small: 8,
      convergence: 0.1 * MEGA,
      journal: { files: 4, pagesPerFile: 50 },
    }
  : {
      scales: [20, 22],
      web: 50 * MEGA,
      build: 100 * MEGA,
      small: 14,
      convergence: 2 * MEGA,
      journal: { files: 60, pagesPerFile: 2000 },
    };
const scratch = mkdtempSync(join(tmpdir(), 'gyre-bench-'));
const rows: BenchRow[] = [];
const ratios: Record<string, number> = {};
try {
  if (isWanted('iterations')) await benchIterations();
  if (isWanted('build')) benchBuild();
  if (isWanted('igraph')) benchEndToEnd();
  if (isWanted('graphology')) benchSmall();
  if (isWanted('journal')) await benchJournal();
  if (isWanted('convergence')) benchConvergence();
  report(rows, ratios, values.json);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

function isWanted(part: string): boolean {
  return values.only === undefined || values.only === part;
}

async function benchIterations(): Promise<void> {
  const textbook = Textbook.compile(scratch);
  const path = join(scratch, 'edges');
  for (const scale of sizes.scales) await benchGraph(textbook, `rmat${scale}`, writeRmat(path, scale));
  await benchGraph(textbook, `web${Math.round(sizes.web / MEGA)}M`, writeWebLike(path, sizes.web));
}

async function benchGraph(program: string, name: string, edges: EdgeFile): Promise<void> {
  const { edgeCount } = runOurs('build', edges);
  const graph = new GraphFile(openDirectory(scratch), 'bench.graph');
  for (const threads of [1, 2]) {
    const textbook = await Textbook.open(program, edges);
    expectSame(`${name}: edges`, edgeCount, textbook.edgeCount);
    const engine = new RankEngine(graph, { threads });
    const { ours, theirs } = await takeTurns(name, engine, textbook, threads);
    await textbook.close();
    engine.close();
    const bytesPerEdge = engine.memoryBytes / edgeCount;
    const row = { graph: name, threads, edges: edgeCount };
    rows.push({ name: 'gyre iteration', ...row, seconds: ours, 'bytes/edge': bytesPerEdge });
    rows.push({ name: 'C++ iteration', ...row, seconds: theirs });
    ratios[`${name} ${threads} thread${threads > 1 ? 's' : ''}`] = ours / theirs;
    ratios[`${name}: bytes per edge of ${MAX_BYTES_PER_EDGE}`] = bytesPerEdge / MAX_BYTES_PER_EDGE;
  }
  graph.close();
}

async function takeTurns(
  name: string,
  engine: RankEngine,
  textbook: Textbook,
  threads: number,
): Promise<{ ours: number; theirs: number }> {
  let ours = Number.POSITIVE_INFINITY;
  let theirs = Number.POSITIVE_INFINITY;
  let best = 0;
  for (let round = 0; round < Number(values.rounds); round++) {
    const step = await textbook.step(threads);
    theirs = Math.min(theirs, step.seconds);
    best = step.best;
    await pause(SETTLE_MS);
    const started = performance.now();
    engine.step();
    ours = Math.min(ours, (performance.now() - started) / 1000);
  }
  expectSame(`${name}: best node`, bestOf(engine.ranks()), best);
  return { ours, theirs };
}

function benchBuild(): void {
  const edges = writeWebLike(join(scratch, 'edges'), sizes.build);
  const ours = runOurs('build', edges);
  const { seconds, cpuSeconds, peakBytes } = ours;
  rows.push({ name: 'gyre build', graph: 'web-like', ...timeOf(ours) });
  ratios['build: seconds of 15'] = seconds / 15;
  ratios['build: CPU seconds of 15'] = cpuSeconds / 15;
  ratios['build: MB of 300'] = peakBytes / (300 * MEGA);
}

function benchEndToEnd(): void {
  const program = compileIgraph(scratch);
  const scale = sizes.scales[0]!;
  const edges = writeRmat(join(scratch, 'edges'), scale);
  const ours = runOurs('rank', edges);
  rows.push({ name: 'gyre end to end', graph: `rmat${scale}`, ...timeOf(ours) });
  if (!program) return;
  const theirs = runIgraph(program, edges);
  rows.push({
    name: 'igraph end to end',
    graph: `rmat${scale}`,
    edges: ours.edgeCount,
    seconds: theirs.seconds,
    'CPU seconds': theirs.cpuSeconds,
  });
  expectSame('igraph: best node', ours.best, theirs.best);
  ratios.igraph = ours.seconds / theirs.seconds;
  ratios['igraph, CPU'] = ours.cpuSeconds / theirs.cpuSeconds;
}

function benchSmall(): void {
  ensurePackages();
  const graph = `rmat${sizes.small}`;
  const edges = writeRmat(join(scratch, 'edges'), sizes.small);
  const ours = runOurs('rank', edges);
  const theirs = runGraphology(edges);
  rows.push({ name: 'gyre end to end', graph, ...timeOf(ours) });
  rows.push({ name: 'graphology end to end', graph, edges: ours.edgeCount, seconds: theirs.seconds });
  expectSame('graphology: best node', ours.best, theirs.best);
  ratios.graphology = ours.seconds / theirs.seconds;
}

/** Measures `gyre rank` on a journal in CPU seconds, because they depend least on other processes. */
async function benchJournal(): Promise<void> {
  const { whole, added } = await costOfRanking(openDirectory(join(scratch, 'journal')), sizes.journal);
  for (const [name, cost] of Object.entries({ 'gyre rank, whole journal': whole, 'one file more': added }))
    rows.push({ name, edges: cost.linkCount, seconds: cost.seconds, 'CPU seconds': cost.cpuSeconds });
  ratios['one file more, of the whole journal'] = added.cpuSeconds / whole.cpuSeconds;
}

function benchConvergence(): void {
  if (values.data === undefined) runOurs('build', writeWebLike(join(scratch, 'edges'), sizes.convergence));
  const [directory, file] = values.data === undefined ? [scratch, 'bench.graph'] : newestGraph(values.data);
  const graph = new GraphFile(openDirectory(directory), file);
  rows.push(...convergenceRows(graph, values.data === undefined ? 'web-like' : 'crawled'));
  graph.close();
}

function newestGraph(data: string): [directory: string, file: string] {
  const directory = join(data, 'graph');
  const names = readdirSync(directory).filter((name) => /^links-.*\.graph$/.test(name));
  if (names.length === 0) throw new Error(`${directory} has no link graph; run gyre rank`);
  return [directory, names.sort().at(-1)!];
}

/**
 * Returns the columns of a run. They include processor time, which on a busy machine is more reliable than
 * elapsed time.
 */
function timeOf({ edgeCount, seconds, cpuSeconds, peakBytes }: Measured): Omit<BenchRow, 'name'> {
  return { edges: edgeCount, seconds, 'CPU seconds': cpuSeconds, 'peak MB': peakBytes / MEGA };
}

function runOurs(task: 'build' | 'rank', { path, nodeCount }: EdgeFile): Measured {
  const main = join(import.meta.dirname, 'ours-main.ts');
  const args = ['--disable-warning=ExperimentalWarning', main, task, path, String(nodeCount), scratch, '2'];
  return JSON.parse(execFileSync(process.execPath, args).toString()) as Measured;
}

function bestOf(ranks: Float32Array): number {
  return ranks.indexOf(ranks.reduce((best, rank) => Math.max(best, rank), 0));
}

function expectSame(what: string, ours: number | undefined, theirs: number): void {
  if (ours !== theirs) throw new Error(`${what}: ours is ${ours}, theirs ${theirs}`);
}
