/** Runs `gyre crawl` as its own process, and reads the log of the crawl. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Cost, measure } from '../process-cost.ts';

const GYRE = join(import.meta.dirname, '..', '..', 'bin', 'gyre');

/** The figures of a finished crawl. */
export interface CrawlRun {
  cost: Cost;
  pages: number;
  /** The total size of all response bodies in bytes. */
  bytes: number;
}

/** Runs a crawl in a new data directory until it ends. */
export async function runCrawl(crawl: {
  data: string;
  config: string;
  seeds: readonly string[];
  args?: readonly string[];
  environment?: Record<string, string>;
}): Promise<CrawlRun> {
  const { data, config, seeds, args = [], environment: env = {} } = crawl;
  const all = [GYRE, 'crawl', '--data', data, '--config', config, '--json', ...args, ...seeds];
  const cost = await measure(process.execPath, all, { env });
  if (cost.code !== 0) throw new Error(`gyre crawl ended with ${cost.code}`);
  const { pages, bytes } = JSON.parse(cost.stdout) as { pages: number; bytes: number };
  if (pages === 0) throw new Error('gyre crawl fetched no page');
  return { cost, pages, bytes };
}

interface LogLine {
  time: string;
  url: string;
  reason: string;
}

export function readCrawlLog(data: string): LogLine[] {
  const lines = ['crawl.log.1', 'crawl.log'].flatMap((name) => {
    const file = join(data, name);
    return existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : [];
  });
  return lines.map((line) => JSON.parse(line) as LogLine);
}
