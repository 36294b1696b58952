/**
 * Crawls an honest host beside hostile ones with the real program. The crawl rate is taken from the request
 * log of the honest host, not from the crawler.
 *
 *   start the servers -> start the crawl -> wait for the first page of both -> count honest pages -> SIGINT
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sleep } from '../../src/base/mod.ts';
import { type SyntheticWeb, startWeb } from '../../src/synthetic-web/server.ts';
import { Gyre } from '../helpers/gyre.ts';
import { crawlOptions } from '../helpers/synthetic-crawl.ts';
import type { Form, HostileHost } from './attack.ts';
import { type RunningHost, startHostileHost } from './attacker.ts';
import { findFreePort } from './free-port.ts';
import { interrupt, isRunning, peakMegabytes } from './program.ts';

export interface CrawlReport {
  /** The number of pages of the honest host that were fetched per second. */
  honestRate: number;
  honestPages: number;
  /** The number of requests for pages of hostile hosts per second. */
  hostileRate: number;
  peakMb: number | null;
  /** The seconds from SIGINT to the end of the crawl; null if the crawl had ended before SIGINT. */
  interruptSeconds: number | null;
  /** The exit code if the crawl ended by itself; otherwise null. */
  endedWith: number | null;
  stderr: string;
}

export interface CrawlOptions {
  form: Form;
  seconds: number;
  /** The number of pages of the honest host after which counting ends. */
  enough?: number;
}

/**
 * The politeness delay. It limits the honest host to about 20 requests per second, so the crawler has spare
 * capacity. If the rate drops, the hostile hosts are the cause.
 */
const DELAY_MS = 40;
const HONEST_PAGES = 4_000;
const START_MS = 20_000;
const FIRST_PAGE_MS = 2_000;
const LOOK_MS = 20;

/** Crawls an honest host beside the attack. `attack` is null to crawl the honest host alone. */
export async function witnessCrawl(attack: HostileHost | null, options: CrawlOptions): Promise<CrawlReport> {
  const directory = mkdtempSync(join(tmpdir(), 'gyre-attack-'));
  const honest = await startWeb({ seed: 3, hosts: 1, pages: HONEST_PAGES }, { port: await findFreePort() });
  const hostile = attack && (await startHostileHost(attack, options.form));
  const seeds = [...(hostile?.seeds ?? []), honest.seeds[0]!];
  const crawl = new Gyre(['crawl', ...crawlOptions(directory, { delay: `${DELAY_MS}ms` }), ...seeds]);
  try {
    return await measure(crawl, honest, hostile, options);
  } finally {
    if (isRunning(crawl)) await crawl.kill('SIGKILL');
    await hostile?.stop();
    await honest.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

async function measure(
  crawl: Gyre,
  honest: SyntheticWeb,
  hostile: RunningHost | null,
  { seconds, enough = Number.POSITIVE_INFINITY }: CrawlOptions,
): Promise<CrawlReport> {
  await until(crawl, START_MS, () => honestPages(honest) > 0 && (!hostile || hostile.contacts() > 0));
  // Waits for the first hostile page only for a limited time: after reading robots.txt, the crawl may decide
  // to request none.
  await until(crawl, FIRST_PAGE_MS, () => !hostile || hostile.pages() > 0);
  const startedAt = performance.now();
  const [pagesBefore, requestsBefore] = [honestPages(honest), hostile?.pages() ?? 0];
  await until(crawl, seconds * 1000, () => honestPages(honest) - pagesBefore >= enough);
  const passed = (performance.now() - startedAt) / 1000;
  const pages = honestPages(honest) - pagesBefore;
  const requests = (hostile?.pages() ?? 0) - requestsBefore;
  const peakMb = peakMegabytes(crawl);
  const hasEnded = !isRunning(crawl);
  return {
    honestRate: pages / passed,
    honestPages: pages,
    hostileRate: requests / passed,
    peakMb,
    endedWith: hasEnded ? crawl.child.exitCode : null,
    interruptSeconds: hasEnded ? null : await interrupt(crawl),
    stderr: crawl.stderr,
  };
}

/** Counts the pages that were sent completely; `robots.txt` and the icon do not count. */
function honestPages({ log }: SyntheticWeb): number {
  let count = 0;
  for (const { path, status, outcome } of log)
    if (status === 200 && outcome === 'complete' && path !== '/robots.txt') count++;
  return count;
}

async function until(crawl: Gyre, limitMs: number, isTrue: () => boolean): Promise<void> {
  const startedAt = performance.now();
  while (!isTrue() && isRunning(crawl) && performance.now() - startedAt < limitMs) await sleep(LOOK_MS);
}
