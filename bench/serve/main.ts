/**
 * Measures the server under load: results pages per second, response times at half of that rate, and the
 * behaviour under more load than the server can handle.
 *
 *   npm run bench:serve -- [--docs 100000] [--seconds 10] [--minutes 0] [--only ROW] [--work DIR] [--json]
 *   npm run bench:serve -- --data DATA [--queries FILE]… [--count 300] [--starts 3] [--seconds 10] [--work DIR]
 *                          [--json]
 *
 * With `--data`, the documents are those of a data directory, and Lucene serves the same: compare.ts has more.
 *
 * Data without it: synthetic (corpus.ts), seeded. `bin/gyre serve` runs as its own process, as in production; load and
 * server share the machine. There are three rows, or the one that `--only` names: `cache off` has no caches,
 * `cache on` is the same mix of queries with the default caches, `cached` requests a few hundred pages that
 * have all been requested before. `first byte p95` is the waiting time of a single searcher. Before the
 * measurement, the last 4,000 of the pages are requested once, so that the code of the server is compiled.
 * They are not requested again. `half` is half of the bar, or of the server's maximum rate if that is less.
 * `--minutes 10` continues the half load for ten minutes and prints the growth of the server's memory. Every
 * bar is printed with its figure below the table (bars.ts). On a machine that has other work, read `cpu
 * ms/page`: the server's processor time per page, which does not depend on other processes; two cores have
 * 2,000 ms per second for server and load.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type BenchRow, report } from '../report.ts';
import { barsOf, PAGES_A_SECOND, showBars } from './bars.ts';
import { compareServers } from './compare.ts';
import { writeCorpus } from './corpus.ts';
import { asFastAs, eachOnce, type LoadReport, percentile, steady } from './load.ts';
import { gyreServer, type SearchServer } from './servers.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const QUIET = '--disable-warning=ExperimentalWarning';
const ASKED = 20_000;
const CONNECTIONS = 16;
const CROWD = 1000;
/**
 * The number of popular pages. All of them are cached before the measurement, with WARMING requests at a
 * time.
 */
const POPULAR = 300;
const WARMING = 4;
const WARM_PAGES = 4000;

const { values } = parseArgs({
  options: {
    docs: { type: 'string', default: '100000' },
    seconds: { type: 'string', default: '10' },
    minutes: { type: 'string', default: '0' },
    only: { type: 'string' },
    work: { type: 'string' },
    data: { type: 'string' },
    queries: { type: 'string', multiple: true, default: [] },
    count: { type: 'string', default: '300' },
    starts: { type: 'string', default: '3' },
    json: { type: 'boolean', default: false },
  },
});

const work = values.work ?? mkdtempSync(join(tmpdir(), 'gyre-serve-'));
try {
  if (values.data === undefined) await measureSynthetic();
  else await measureReal(values.data);
} finally {
  if (values.work === undefined) rmSync(work, { recursive: true, force: true });
}

async function measureSynthetic(): Promise<void> {
  const paths = prepare(work, Number(values.docs));
  const rows: BenchRow[] = [];
  for (const [name, asked, environment] of rowsOver(paths))
    if (values.only === undefined || values.only === name)
      rows.push(await measure(name, work, asked, environment));
  const bars = barsOf(rows);
  report(rows, {}, false);
  console.log(showBars(bars));
  if (values.json) console.log(JSON.stringify({ rows, ratios: {}, bars }));
}

async function measureReal(data: string): Promise<void> {
  const { queries, json } = values;
  const [count, seconds, starts] = [values.count, values.seconds, values.starts].map(Number);
  const options = { data, queries, count: count!, seconds: seconds!, starts: starts! };
  const { rows, kinds, ratios, bars } = await compareServers(options, work);
  report(rows, {}, false);
  console.log('\nby kind of query');
  report(kinds, ratios, false);
  console.log(showBars(bars));
  if (json) console.log(JSON.stringify({ rows, kinds, ratios, bars }));
}

function rowsOver(paths: readonly string[]): [string, readonly string[], Record<string, string>][] {
  return [
    ['cache off', paths, { GYRE_SERVE_ANSWER_CACHE: '0' }],
    ['cache on', paths, {}],
    ['cached', [...new Set(paths)].slice(0, POPULAR), {}],
  ];
}

/** Builds the index, unless `--work` names a directory that has it from an earlier run. */
function prepare(directory: string, docs: number): string[] {
  const pathsFile = join(directory, `paths-${docs}.json`);
  if (existsSync(pathsFile)) return JSON.parse(readFileSync(pathsFile, 'utf8'));
  mkdirSync(directory, { recursive: true });
  const corpus = join(directory, 'corpus.jsonl');
  const { paths } = writeCorpus(corpus, docs, ASKED);
  const indexer = join(ROOT, 'bench', 'engine', 'gyre.ts');
  rmSync(join(directory, 'index'), { recursive: true, force: true });
  execFileSync(process.execPath, [QUIET, indexer, 'index', corpus, join(directory, 'index')]);
  rmSync(corpus);
  writeFileSync(pathsFile, JSON.stringify(paths));
  return paths;
}

async function measure(
  name: string,
  data: string,
  paths: readonly string[],
  environment: Record<string, string>,
): Promise<BenchRow> {
  const server = await gyreServer(data, environment);
  const target = { port: server.port, paths };
  try {
    const seconds = Number(values.seconds);
    await eachOnce({ ...target, paths: warming(paths) }, WARMING);
    const alone = await asFastAs(target, 1, Math.min(5, seconds));
    const before = server.usage();
    const full = await asFastAs(target, CONNECTIONS, seconds);
    const perSecond = full.times.length / full.seconds;
    const loaded = server.usage();
    const halfLoad = Math.min(perSecond, PAGES_A_SECOND[name] ?? perSecond) / 2;
    const half = await steadyLoad(server, paths, halfLoad, Math.max(seconds, Number(values.minutes) * 60));
    const crowd = await asFastAs(target, CROWD, seconds);
    return {
      name,
      docs: Number(values.docs),
      'pages/s': perSecond,
      'cpu ms/page': (1000 * (loaded.cpuSeconds - before.cpuSeconds)) / full.times.length,
      'p99 ms': percentile(full.times, 0.99),
      'first byte p95 ms': percentile(alone.firstBytes, 0.95),
      'half load': halfLoad,
      'half p50 ms': percentile(half.report.times, 0.5),
      'half p99 ms': percentile(half.report.times, 0.99),
      'rss MiB': loaded.rssMB,
      'mid half': half.middleMiB,
      'after half': half.endMiB,
      ...crowdColumns(crowd),
      'after crowd': server.usage().rssMB,
    };
  } finally {
    await server.stop();
  }
}

/**
 * Returns the pages to request before the measurement: the last WARM_PAGES of the list, because the measurement
 * begins with the first pages of the list. The list of popular pages is shorter, so all of them are returned
 * and cached.
 */
function warming(paths: readonly string[]): readonly string[] {
  return paths.slice(-Math.min(WARM_PAGES, Number(values.docs)));
}

/** Runs half of the maximum load; returns the server's memory in the middle of that time and at the end. */
async function steadyLoad(
  server: SearchServer,
  paths: readonly string[],
  perSecond: number,
  seconds: number,
): Promise<{ report: LoadReport; middleMiB: number; endMiB: number }> {
  const running = steady({ port: server.port, paths }, perSecond, seconds);
  await new Promise((resolve) => setTimeout(resolve, (seconds * 1000) / 2));
  const middle = server.usage();
  const report = await running;
  return { report, middleMiB: middle.rssMB, endMiB: server.usage().rssMB };
}

function crowdColumns({ statuses, times, seconds, retryAfter }: LoadReport): Record<string, number> {
  return {
    'crowd pages/s': times.length / seconds,
    'crowd 503/s': (statuses['503'] ?? 0) / seconds,
    'crowd retry': retryAfter / Math.max(1, statuses['503'] ?? 0),
    'crowd p99 ms': percentile(times, 0.99),
  };
}
