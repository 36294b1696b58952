/**
 * npm run bench:crawl — compares the whole crawl with rival crawlers on the same synthetic web.
 *
 *   --pages N    number of pages of the web (20,000)
 *   --hosts N    number of hosts of the web (200)
 *   --only NAME  runs only one crawler: gyre, wget2 or crawlee
 *   --json       prints one JSON object as the last line
 *
 * Politeness delays are off; everything else is on: robots.txt, duplicates, WARC, journal, persisted
 * frontier. The web is served by a separate process on the same machine. Crawlee gets a tenth of the pages,
 * because its pages per second do not depend on the number of pages.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { writeConfig } from '../../test/helpers/synthetic-crawl.ts';
import { type Cost, measure } from '../process-cost.ts';
import { type BenchRow, report } from '../report.ts';
import { ensurePackages, ensureProgram } from '../rivals.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const MEDIAN_PAGE_BYTES = 30_000;
const { values } = parseArgs({
  options: {
    pages: { type: 'string', default: '20000' },
    hosts: { type: 'string', default: '200' },
    only: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});
const pages = Number(values.pages);
const web = await startWebProcess();
const scratch = mkdtempSync(join(tmpdir(), 'gyre-bench-'));
try {
  const rows: BenchRow[] = [];
  if (wanted('gyre')) rows.push(row('gyre', pages, await runGyre()));
  if (wanted('wget2') && ensureProgram('wget2', 'wget2')) {
    const cost = await runWget();
    rows.push(row('wget2', pagesBelow(join(scratch, 'wget2')), cost));
  }
  if (wanted('crawlee'))
    rows.push(row('crawlee', Math.ceil(pages / 10), await runCrawlee(Math.ceil(pages / 10))));
  report(rows, ratios(rows), values.json);
} finally {
  web.stop();
  rmSync(scratch, { recursive: true, force: true });
}

function wanted(name: string): boolean {
  return values.only === undefined || values.only === name;
}

async function startWebProcess(): Promise<{ port: number; seeds: string[]; stop(): void }> {
  const main = join(ROOT, 'src', 'synthetic-web', 'main.ts');
  const options = ['--seed', '1', '--hosts', values.hosts, '--pages', values.pages, '--median-page-bytes'];
  const args = [main, ...options, String(MEDIAN_PAGE_BYTES), '--port', '0'];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const line = await new Promise<string>((resolve) =>
    child.stdout.once('data', (chunk) => resolve(String(chunk))),
  );
  return { ...(JSON.parse(line) as { port: number; seeds: string[] }), stop: () => child.kill() };
}

async function runGyre(): Promise<Cost> {
  const config = writeConfig(scratch, { delay: '0ms', delayFactor: 0 });
  const program = join(ROOT, 'bin', 'gyre');
  const args = ['crawl', '--data', join(scratch, 'gyre'), '--config', config, '--json', ...web.seeds];
  const cost = await measure(process.execPath, [program, ...args]);
  expectPages('gyre', (JSON.parse(cost.stdout) as { pages: number }).pages);
  return cost;
}

/**
 * Runs wget2. It keeps the files, as a crawler must. It uses the server of the synthetic web as its proxy, so
 * that no name is resolved.
 */
async function runWget(): Promise<Cost> {
  const proxy = `http://127.0.0.1:${web.port}`;
  const flags = [
    '-q',
    '-r',
    '-l',
    'inf',
    '-H',
    '--max-threads',
    '16',
    `--http-proxy=${proxy}`,
    '-P',
    join(scratch, 'wget2'),
  ];
  return measure('wget2', [...flags, ...web.seeds]);
}

/** Counts the files that wget2 kept, without robots.txt files. */
function pagesBelow(directory: string): number {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile() && entry.name !== 'robots.txt').length;
}

async function runCrawlee(count: number): Promise<Cost> {
  ensurePackages();
  const script = join(import.meta.dirname, 'crawlee.js');
  const env = { CRAWLEE_STORAGE_DIR: join(scratch, 'crawlee') };
  return measure(process.execPath, [script, String(count), ...web.seeds], { env });
}

function expectPages(name: string, found: number): void {
  if (found !== pages) throw new Error(`${name} read ${found} pages of ${pages}`);
}

function row(name: string, count: number, cost: Cost): BenchRow {
  return {
    name,
    pages: count,
    pagesPerSecond: count / cost.seconds,
    cpuSecondsPer1000: (cost.cpuSeconds / count) * 1000,
    peakRssMB: cost.peakRssMB,
  };
}

/** Returns the rate of Gyre divided by the rate of each rival. Gyre is faster if the ratio is above 1. */
function ratios(rows: readonly BenchRow[]): Record<string, number> {
  const ours = rows.find(({ name }) => name === 'gyre');
  if (!ours) return {};
  const rate = (each: BenchRow) => each.pagesPerSecond as number;
  const rivals = rows.filter((each) => each !== ours);
  return Object.fromEntries(rivals.map((rival) => [`rateOver${rival.name}`, rate(ours) / rate(rival)]));
}
