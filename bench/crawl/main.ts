/**
 * npm run bench:crawl — compares the whole crawl with rival crawlers on the same synthetic web.
 *
 *   --pages N    pages of the web (20,000)
 *   --hosts N    its hosts (200)
 *   --only PART  some parts alone: gyre, wget2, crawlee (the default), real, concurrency, names
 *   --dir DIR    the web of `real`, which is being served, with gyre.json and seeds.txt as in bench:realweb
 *   --json       one JSON object as the last line
 *
 * Politeness delays are off; everything else is on: robots.txt, duplicates, WARC, journal, persisted frontier.
 * The web is served by a separate process on the same machine. Crawlee gets a tenth of the pages, because its
 * rate does not depend on the number of pages.
 *
 * `real` crawls as many real pages, with and without PDF files (real-pages.ts): the web of `--dir`, or
 * documentation packages that `scripts/services` downloads. The bars: CPU time per MB of real HTML is at most
 * 1.3 times the CPU time per MB of the synthetic web (with `--only gyre`), and with PDF files the rate of HTML
 * pages is at least 0.8 of the rate without. `concurrency` and `names` show what the rate depends on
 * (experiments.ts), with a twentieth of the pages.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { writeConfig } from '../../test/helpers/synthetic-crawl.ts';
import { type Cost, measure } from '../process-cost.ts';
import { openRealWeb } from '../real-web.ts';
import { type BenchRow, report } from '../report.ts';
import { ensurePackages, ensureProgram } from '../rivals.ts';
import { concurrencyRows, experimentRatios, LATENCY_MS, nameRows } from './experiments.ts';
import { type CrawlRun, runCrawl } from './gyre-crawl.ts';
import { crawlRow, realRatios, realRows } from './real-pages.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const MEDIAN_PAGE_BYTES = 30_000;
const { values } = parseArgs({
  options: {
    pages: { type: 'string', default: '20000' },
    hosts: { type: 'string', default: '200' },
    only: { type: 'string', multiple: true, default: ['gyre', 'wget2', 'crawlee'] },
    dir: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});
const pages = Number(values.pages);
const scratch = mkdtempSync(join(tmpdir(), 'gyre-bench-'));
try {
  const rows = [...(await rivalRows()), ...(await realPageRows()), ...(await experimentRows())];
  report(rows, { ...ratios(rows), ...realRatios(rows), ...experimentRatios(rows) }, values.json);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

function wanted(...names: string[]): boolean {
  return names.some((name) => values.only.includes(name));
}

async function rivalRows(): Promise<BenchRow[]> {
  if (!wanted('gyre', 'wget2', 'crawlee')) return [];
  const rows: BenchRow[] = [];
  const web = await startWebProcess();
  try {
    if (wanted('gyre')) rows.push(crawlRow('gyre', await runGyre(web), join(scratch, 'gyre')));
    if (wanted('wget2') && ensureProgram('wget2', 'wget2')) {
      const cost = await runWget(web);
      rows.push(row('wget2', pagesBelow(join(scratch, 'wget2')), cost));
    }
    const some = Math.ceil(pages / 10);
    if (wanted('crawlee')) rows.push(row('crawlee', some, await runCrawlee(web, some)));
    return rows;
  } finally {
    web.stop();
  }
}

async function realPageRows(): Promise<BenchRow[]> {
  if (!wanted('real')) return [];
  const web = await openRealWeb(values.dir);
  try {
    return await realRows(web, scratch, pages);
  } finally {
    web.close();
  }
}

async function experimentRows(): Promise<BenchRow[]> {
  if (!wanted('concurrency', 'names')) return [];
  const web = await startWebProcess('--latency-ms', String(LATENCY_MS));
  try {
    const crawl = { seeds: web.seeds, scratch, maxPages: Math.ceil(pages / 20) };
    return [
      ...(wanted('concurrency') ? await concurrencyRows(crawl) : []),
      ...(wanted('names') ? await nameRows(crawl) : []),
    ];
  } finally {
    web.stop();
  }
}

interface WebProcess {
  port: number;
  seeds: string[];
  stop(): void;
}

async function startWebProcess(...more: string[]): Promise<WebProcess> {
  const main = join(ROOT, 'src', 'synthetic-web', 'main.ts');
  const options = ['--seed', '1', '--hosts', values.hosts, '--pages', values.pages, '--median-page-bytes'];
  const args = [main, ...options, String(MEDIAN_PAGE_BYTES), '--port', '0', ...more];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const line = await new Promise<string>((resolve) =>
    child.stdout.once('data', (chunk) => resolve(String(chunk))),
  );
  return { ...(JSON.parse(line) as { port: number; seeds: string[] }), stop: () => child.kill() };
}

async function runGyre({ seeds }: WebProcess): Promise<CrawlRun> {
  const config = writeConfig(scratch, { delay: '0ms', delayFactor: 0 });
  const run = await runCrawl({ data: join(scratch, 'gyre'), config, seeds });
  if (run.pages !== pages) throw new Error(`gyre read ${run.pages} pages of ${pages}`);
  return run;
}

/**
 * Runs wget2. It keeps the files, as a crawler must. It uses the server of the synthetic web as its proxy, so
 * that no name is resolved.
 */
async function runWget(web: WebProcess): Promise<Cost> {
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

async function runCrawlee(web: WebProcess, count: number): Promise<Cost> {
  ensurePackages();
  const script = join(import.meta.dirname, 'crawlee.js');
  const env = { CRAWLEE_STORAGE_DIR: join(scratch, 'crawlee') };
  return measure(process.execPath, [script, String(count), ...web.seeds], { env });
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
  const rivals = rows.filter(({ name }) => name === 'wget2' || name === 'crawlee');
  return Object.fromEntries(rivals.map((rival) => [`rateOver${rival.name}`, rate(ours) / rate(rival)]));
}
