/**
 * Measures how the rate of a crawl depends on the number of requests in flight and on the cache of DNS.
 *
 * Hosts respond as fast as on a nearby network: LATENCY_MS before each response, NAMES_DELAY_MS for each
 * look-up of a name (name-server.ts). The rate is measured between the first and the last response.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { writeConfig } from '../../test/helpers/synthetic-crawl.ts';
import type { BenchRow } from '../report.ts';
import { type CrawlRun, readCrawlLog, runCrawl } from './gyre-crawl.ts';

export const LATENCY_MS = 20;
const NAMES_DELAY_MS = 20;
const IN_FLIGHT = [1, 4, 16, 64];
const POLITENESS_OFF = { delay: '0ms', delayFactor: 0, icons: 'off' };

interface SyntheticCrawl {
  seeds: readonly string[];
  scratch: string;
  maxPages: number;
}

/** Measures the same crawl with 1 to 64 requests in flight. */
export async function concurrencyRows(crawl: SyntheticCrawl): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const concurrency of IN_FLIGHT)
    rows.push(await rowOf(`${concurrency} in flight`, crawl, { concurrency }));
  return rows;
}

/**
 * Measures a crawl whose host names are resolved by a slow name server, with and without the cache of
 * addresses.
 */
export async function nameRows(crawl: SyntheticCrawl): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const [name, dnsCache] of [
    ['with DNS cache', '10m'],
    ['without DNS cache', '0s'],
  ] as const) {
    const log = join(crawl.scratch, `${name}.lookups`);
    const preload = pathToFileURL(join(import.meta.dirname, 'name-server.ts'));
    const environment = {
      NODE_OPTIONS: `--import ${preload}`,
      NAMES_DELAY_MS: String(NAMES_DELAY_MS),
      NAMES_LOG: log,
    };
    const row = await rowOf(name, crawl, { resolve: {}, dnsCache }, environment);
    rows.push({ ...row, lookups: lookupsIn(log) });
  }
  return rows;
}

function lookupsIn(file: string): number {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
  return lines.reduce((sum, line) => sum + Number(line), 0);
}

async function rowOf(
  name: string,
  { seeds, scratch, maxPages }: SyntheticCrawl,
  settings: Record<string, unknown>,
  environment: Record<string, string> = {},
): Promise<BenchRow> {
  const config = writeConfig(scratch, { ...POLITENESS_OFF, ...settings });
  const data = join(scratch, name.replaceAll(' ', '-'));
  const args = ['--max-pages', String(maxPages)];
  const run: CrawlRun = await runCrawl({ data, config, seeds, args, environment });
  const times = readCrawlLog(data).map(({ time }) => Date.parse(time));
  const seconds = (times.reduce((a, b) => Math.max(a, b)) - times.reduce((a, b) => Math.min(a, b))) / 1000;
  return {
    name,
    pages: run.pages,
    pagesPerSecond: run.pages / seconds,
    cpuSecondsPer1000: (run.cost.cpuSeconds / run.pages) * 1000,
  };
}

/** Returns, for each experiment, the rate in its last row divided by the rate in its first row. */
export function experimentRatios(rows: readonly BenchRow[]): Record<string, number> {
  const rate = (name: string) => Number(rows.find((row) => row.name === name)?.pagesPerSecond);
  const ratios = {
    rateOf64InFlight: rate('64 in flight') / rate('1 in flight'),
    rateOfDnsCache: rate('with DNS cache') / rate('without DNS cache'),
  };
  return Object.fromEntries(Object.entries(ratios).filter(([, value]) => Number.isFinite(value)));
}
