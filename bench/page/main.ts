/**
 * Runs the benchmarks of the whole engine and writes docs/benchmarks.md.
 *
 *   npm run bench:all -- --data DATA [--dir DIR] [--queries FILE]… [--pages 10000] [--docs 20000] [--only NAME]…
 *
 * `--pages` is the number of pages of the crawls, `--docs` the number of documents of bench:engine. The raw
 * data of each benchmark are written to docs/benchmarks/ when it ends; the page and its charts are made from
 * all raw data there. `npm run docs` only makes the page and the charts.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { benchmarksDocs } from './page.ts';
import { describeMachine, type Output, RAW_DATA, type RawRun } from './raw-data.ts';
import { SECTIONS } from './sections.ts';

interface Run {
  /** The path of the program below bench/, and its options. */
  program: string;
  args: string[];
  /** The command as users type it, with placeholders for paths. */
  command: string;
  /** The services that it needs, as `scripts/services` names them. */
  services?: readonly string[];
}

const SERVICES = join(import.meta.dirname, '..', '..', 'scripts', 'services');
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;
const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    dir: { type: 'string' },
    queries: { type: 'string', multiple: true, default: [] },
    pages: { type: 'string', default: '10000' },
    docs: { type: 'string', default: '20000' },
    only: { type: 'string', multiple: true, default: SECTIONS.map(({ name }) => name) },
  },
});

const problem = wrongOption();
if (problem !== null) {
  console.error(problem);
  process.exitCode = 2;
} else {
  runAll(values.data!);
}

/** Returns a message if the options make no sense. */
function wrongOption(): string | null {
  if (values.data === undefined)
    return 'name a data directory with crawled and ranked pages with --data DATA';
  const known = SECTIONS.map(({ name }) => name);
  const unknown = values.only.find((name) => !known.includes(name));
  return unknown === undefined ? null : `--only takes ${known.join(', ')}, not "${unknown}"`;
}

function runAll(data: string): void {
  const runs = runsOf(data);
  mkdirSync(RAW_DATA, { recursive: true });
  for (const name of values.only) {
    const raw = `${JSON.stringify(measure(name, runs[name]!), null, 1)}\n`;
    writeFileSync(join(RAW_DATA, `${name}.json`), raw);
  }
  for (const { file, content } of benchmarksDocs()) writeFileSync(file, content);
}

function runsOf(data: string): Record<string, Run> {
  const { dir, queries, pages, docs } = values;
  const web = dir === undefined ? [] : ['--dir', dir];
  const shownWeb = dir === undefined ? '' : ' --dir DIR';
  const sizes = `${Math.ceil(Number(pages) / 5)},${pages}`;
  const parts = ['gyre', 'wget2', 'crawlee', 'real', 'concurrency', 'names'].flatMap((part) => [
    '--only',
    part,
  ]);
  return {
    serve: {
      program: 'serve/main.ts',
      args: ['--data', data, ...queries.flatMap((file) => ['--queries', file])],
      command: `npm run bench:serve -- --data DATA${' --queries FILE'.repeat(queries.length)}`,
    },
    pipeline: {
      program: 'pipeline/main.ts',
      args: ['--pages', sizes, ...web],
      command: `npm run bench:pipeline -- --pages ${sizes}${shownWeb}`,
    },
    crawl: {
      program: 'crawl/main.ts',
      args: ['--pages', pages, ...parts, ...web],
      command: `npm run bench:crawl -- --pages ${pages} ${parts.join(' ')}${shownWeb}`,
    },
    engine: {
      program: 'engine/main.ts',
      args: ['--docs', docs, '--growth', '0'],
      command: `npm run bench:engine -- --docs ${docs} --growth 0`,
    },
    ranks: {
      program: 'pagerank/main.ts',
      args: ['--only', 'convergence', '--data', data],
      command: 'npm run bench:pagerank -- --only convergence --data DATA',
    },
    cluster: {
      program: 'cluster/crawl-main.ts',
      args: ['--nodes', '1,2,4', '--pages', '6000'],
      command: 'npm run bench:cluster -- --nodes 1,2,4 --pages 6000',
      services: ['postgresql', 'rabbitmq', 's3'],
    },
  };
}

function measure(name: string, { program, args, command, services = [] }: Run): RawRun {
  console.error(`${name}: ${command}`);
  const machine = describeMachine();
  const startedAt = performance.now();
  const script = join(import.meta.dirname, '..', program);
  const node = [process.execPath, '--disable-warning=ExperimentalWarning', script, ...args, '--json'];
  const [first, ...rest] = services.length === 0 ? node : [SERVICES, 'run', ...services, '--', ...node];
  const { status, stdout } = spawnSync(first!, rest, {
    encoding: 'utf8',
    maxBuffer: MAX_OUTPUT_BYTES,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) throw new Error(`${command} ended with ${status}`);
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  const output = JSON.parse(stdout.trimEnd().split('\n').at(-1)!) as Output;
  return { command, measuredOn: new Date().toISOString().slice(0, 10), seconds, machine, output };
}
