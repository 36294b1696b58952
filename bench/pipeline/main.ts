/**
 * Real pages through the whole engine: crawl, index, rank, and the first query of a server.
 *
 *   npm run bench:pipeline -- [--dir DIR] [--pages 10000,100000] [--memory SIZE] [--work DIR] [--json]
 *
 * The web is the one that `--dir` describes and that is being served (`gyre.json` and `seeds.txt`, as in
 * bench:realweb), or eight documentation packages that `scripts/services` downloads, with 20,000 pages, HTML
 * and PDF as they are. For each number in `--pages` a new crawl ends after that many responses, or earlier if
 * the web has no more. `--work` names a directory for the data; the directory is removed at the end.
 *
 * `--memory` is the memory limit of crawl, build and rank, by default half of the memory of the machine. The peak in the
 * row of a stage must be below the limit.
 *
 * There is a row for each stage: seconds, CPU-seconds, CPU-seconds per 1,000 pages, and the peak memory of its
 * process; then a row for the bytes on disk. `serve` is the time from the start of the server until it has
 * answered its first query; `ready s` is the part until it is ready. `build, N cores` indexes the whole journal
 * of the smallest crawl again, pinned to N processors. Ratios are growth factors, from the smallest crawl to
 * the largest: CPU time per page of each stage, and bytes per page. A stage whose cost is proportional to the
 * number of pages has the ratio 1.
 */
import { globSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Cost, measure } from '../process-cost.ts';
import { openRealWeb, type RealWeb, writeWebConfig } from '../real-web.ts';
import { type BenchRow, report } from '../report.ts';
import { gyreServer } from '../serve/servers.ts';

const GYRE = join(import.meta.dirname, '..', '..', 'bin', 'gyre');
const FIRST_QUERY = 'how to install';
/** The numbers of processors with which the index is built again. */
const CORES = [1, 2].filter((cores) => cores <= availableParallelism());
const STAGES = ['crawl', 'build', 'rank', 'serve', 'disk'];

const { values } = parseArgs({
  options: {
    dir: { type: 'string' },
    pages: { type: 'string', default: '10000,100000' },
    memory: { type: 'string' },
    work: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});

/** The rows of one crawl. The key is the name of the stage. */
type Run = Map<string, BenchRow>;

const work = mkdtempSync(join(values.work ?? tmpdir(), 'gyre-pipeline-'));
const web = await openRealWeb(values.dir);
try {
  const runs: Run[] = [];
  for (const maxPages of values.pages.split(',').map(Number))
    runs.push(await runStages(web, maxPages, runs.length === 0));
  report(
    runs.flatMap((run) => [...run.values()]),
    growth(runs[0]!, runs.at(-1)!),
    values.json,
  );
} finally {
  web.close();
  rmSync(work, { recursive: true, force: true });
}

async function runStages(web: RealWeb, maxPages: number, withCores: boolean): Promise<Run> {
  const directory = join(work, String(maxPages));
  mkdirSync(directory);
  const config = writeWebConfig(web, join(directory, 'gyre.json'));
  const data = join(directory, 'data');
  const gyre = (command: string, ...args: string[]) => [
    GYRE,
    command,
    '--data',
    data,
    '--config',
    config,
    '--json',
    ...(values.memory ? ['--memory', values.memory] : []),
    ...args,
  ];
  const stage = (...args: [command: string, ...args: string[]]) =>
    measureSuccess(process.execPath, gyre(...args));
  const rebuild = (cores: number) =>
    measureSuccess('taskset', ['-c', `0-${cores - 1}`, process.execPath, ...gyre('build', '--rebuild')]);
  const crawl = await stage('crawl', '--max-pages', String(maxPages), ...web.seeds);
  const { pages, bytes } = JSON.parse(crawl.stdout) as { pages: number; bytes: number };
  const row = (name: string, cost: Omit<Cost, 'stdout' | 'code'>, more: Partial<BenchRow> = {}) =>
    rowOf(name, pages, cost, more);
  const run: Run = new Map([
    ['crawl', row('crawl', crawl, { MB: bytes / 1e6 })],
    ['build', row('build', await stage('build'))],
    ['rank', row('rank', await stage('rank'))],
    ['serve', await firstQuery(data, row)],
    ['disk', { name: `${pages} pages: disk`, stage: 'disk', pages, ...diskColumns(data, pages) }],
  ]);
  if (withCores)
    for (const cores of CORES)
      run.set(`cores ${cores}`, row(`build, ${cores} core${cores > 1 ? 's' : ''}`, await rebuild(cores)));
  rmSync(directory, { recursive: true });
  return run;
}

async function measureSuccess(command: string, args: readonly string[]): Promise<Cost> {
  const cost = await measure(command, args);
  if (cost.code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${cost.code}`);
  return cost;
}

function rowOf(
  stage: string,
  pages: number,
  { seconds, cpuSeconds, peakRssMB }: Omit<Cost, 'stdout' | 'code'>,
  more: Partial<BenchRow>,
): BenchRow {
  const name = `${pages} pages: ${stage}`;
  const perThousand = (1000 * cpuSeconds) / pages;
  return {
    ...{ name, stage, pages, seconds, 'cpu s': cpuSeconds, 'cpu s/1000': perThousand },
    ...{ 'peak RSS MB': peakRssMB, ...more },
  };
}

async function firstQuery(
  data: string,
  row: (name: string, cost: Omit<Cost, 'stdout' | 'code'>, more: Partial<BenchRow>) => BenchRow,
): Promise<BenchRow> {
  const server = await gyreServer(data, {});
  try {
    const startedAt = performance.now();
    const path = `/api/v1/search?q=${encodeURIComponent(FIRST_QUERY)}`;
    const response = await fetch(`http://127.0.0.1:${server.port}${path}`);
    if (!response.ok) throw new Error(`HTTP ${response.status} for the first query`);
    await response.arrayBuffer();
    const queryMs = performance.now() - startedAt;
    const { cpuSeconds, peakRssMB } = server.usage();
    const seconds = (server.readyMs + queryMs) / 1000;
    return row(
      'serve',
      { seconds, cpuSeconds, peakRssMB },
      { 'ready s': server.readyMs / 1000, 'first query ms': queryMs },
    );
  } finally {
    await server.stop();
  }
}

/**
 * Returns the size of the data on disk in MB: the total, the total per page, and the size of each directory.
 */
function diskColumns(data: string, pages: number): Record<string, number> {
  const bytesBelow = (pattern: string) =>
    globSync(pattern, { cwd: data })
      .map((file) => statSync(join(data, file)))
      .reduce((sum, stat) => sum + (stat.isFile() ? stat.size : 0), 0);
  const total = bytesBelow('**');
  const parts = ['archive', 'journal', 'index', 'graph'].map((part) => [
    `${part} MB`,
    bytesBelow(`${part}/**`) / 1e6,
  ]);
  return { 'disk MB': total / 1e6, 'disk KB/page': total / 1e3 / pages, ...Object.fromEntries(parts) };
}

function growth(small: Run, large: Run): Record<string, number> {
  const seconds = (cores: number) => Number(small.get(`cores ${cores}`)?.seconds);
  const perCore = CORES.length > 1 ? { 'build time, 1 core over 2': seconds(1) / seconds(2) } : {};
  if (small === large) return perCore;
  const ratio = (stage: string) => {
    const column = stage === 'disk' ? 'disk KB/page' : 'cpu s/1000';
    return Number(large.get(stage)![column]) / Number(small.get(stage)![column]);
  };
  const grown = STAGES.map((stage) => [`${stage} growth per page`, ratio(stage)]);
  return { ...Object.fromEntries(grown), ...perCore };
}
