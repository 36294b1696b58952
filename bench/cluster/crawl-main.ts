/**
 * npm run bench:cluster — measures crawl nodes on real services, on a synthetic web.
 *
 *   --nodes LIST     numbers of nodes (1,2,4)
 *   --seconds N      length of each measurement (20)
 *   --pages N        pages of the web for the processor time (3,000); 0 leaves this part out
 *   --rounds N       crawls of these pages with each program (2)
 *   --json           one JSON object as the last line
 *
 * `rate`: each node has CONNECTIONS requests in flight, and the web answers after LATENCY_MS, so the rate of a node is bound by
 * waiting, as in a polite crawl, and not by the processor of the one machine that runs all nodes and all services. The rate
 * is that of the responses in the log of the web, after all nodes have their vnodes. What is lost between one and n nodes is
 * lost to the coordination: links through RabbitMQ, commits in one PostgreSQL, unequal shares.
 *
 * `cost`: the processor time of one crawl node per page, compared with `gyre crawl`, without politeness delays. The services
 * are not counted. Both crawl the same pages in turns.
 *
 * Ratios: `rateN` is the rate of N nodes over that of one; the bar is 3.5 for 4 nodes. `cpuOverEmbedded` is the processor
 * time of a node over that of `gyre crawl`; the bar is 1.3.
 */
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { sleep } from '../../src/base/mod.ts';
import { type SyntheticWeb, startWeb } from '../../src/synthetic-web/server.ts';
import { writeConfig } from '../../test/helpers/synthetic-crawl.ts';
import { runCrawl } from '../crawl/gyre-crawl.ts';
import { usageOf } from '../process-cost.ts';
import { type BenchRow, report } from '../report.ts';
import { mean } from '../statistics.ts';
import { createBenchCluster } from './bench-cluster.ts';

const CONNECTIONS = 4;
const LATENCY_MS = 400;
const HOSTS = 400;
/** The web of the rate must not be crawled to its end while the rate is measured. */
const RATE_PAGES = 40_000;
const IMPOLITE = { delay: '0ms', delayFactor: 0, addressDelay: '0ms', icons: 'off', revisit: 'off' };
const PATIENCE_MS = 180_000;
const POLL_MS = 100;

const { values } = parseArgs({
  options: {
    nodes: { type: 'string', default: '1,2,4' },
    seconds: { type: 'string', default: '20' },
    pages: { type: 'string', default: '3000' },
    rounds: { type: 'string', default: '2' },
    json: { type: 'boolean', default: false },
  },
});
const seconds = Number(values.seconds);
const scratch = mkdtempSync(join(tmpdir(), 'gyre-bench-'));
try {
  const rates = await rateRows(values.nodes.split(',').map(Number));
  const costs = Number(values.pages) > 0 ? await costRows(Number(values.pages), Number(values.rounds)) : [];
  report([...rates, ...costs], { ...rateRatios(rates), ...costRatios(costs) }, values.json);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

async function rateRows(counts: readonly number[]): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const nodes of counts) rows.push(await measureRate(nodes));
  return rows;
}

async function measureRate(nodes: number): Promise<BenchRow> {
  const web = await startWeb({ seed: 3, hosts: HOSTS, pages: RATE_PAGES }, { latencyMs: LATENCY_MS });
  const settings = settingsWith({ concurrency: CONNECTIONS });
  const cluster = await createBenchCluster(join(scratch, `rate-${nodes}`), { seeds: seedsOf(web), settings });
  try {
    for (let started = 0; started < nodes; started++) await cluster.startNode();
    await until(
      'all nodes crawl',
      async () => (await cluster.progress()).owners === nodes && web.log.length > 20 * nodes,
    );
    // The crawlers that gave vnodes away start again.
    await sleep(5_000);
    const before = web.log.length;
    const startedAt = performance.now();
    await sleep(seconds * 1000);
    const responses = web.log.length - before;
    const rate = responses / ((performance.now() - startedAt) / 1000);
    const bound = (nodes * CONNECTIONS * 1000) / LATENCY_MS;
    return { name: `rate, ${nodes} nodes`, nodes, 'pages/s': rate, 'of the bound': rate / bound };
  } finally {
    await cluster.close();
    await web.close();
  }
}

/** Returns a seed on every host, so that all vnodes have work from the beginning. */
function seedsOf(web: SyntheticWeb): string[] {
  const origins = new Set([...web.plan.plainPages(web.port)].map(({ url }) => new URL('/', url).href));
  return [...origins];
}

/** Returns the settings of a crawl of the synthetic web, with these changes. */
function settingsWith(crawl: Record<string, unknown>): object {
  return JSON.parse(readFileSync(writeConfig(scratch, { ...IMPOLITE, ...crawl }), 'utf8'));
}

async function costRows(pages: number, rounds: number): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  for (let round = 1; round <= rounds; round++) {
    rows.push(await measureEmbedded(pages, round));
    rows.push(await measureNode(pages, round));
  }
  return rows;
}

async function measureEmbedded(pages: number, round: number): Promise<BenchRow> {
  const web = await startWeb({ seed: 1, hosts: 100, pages });
  try {
    const config = writeConfig(scratch, IMPOLITE);
    const run = await runCrawl({ data: join(scratch, `embedded-${round}`), config, seeds: web.seeds });
    return costRow('embedded', run.pages, run.cost.cpuSeconds);
  } finally {
    await web.close();
  }
}

async function measureNode(pages: number, round: number): Promise<BenchRow> {
  const web = await startWeb({ seed: 1, hosts: 100, pages });
  const cluster = await createBenchCluster(join(scratch, `node-${round}`), {
    seeds: web.seeds,
    settings: settingsWith({}),
  });
  try {
    const node = await cluster.startNode();
    const ended = once(node, 'close');
    let fetched = 0;
    await until('every page is committed', async () => {
      const { done, ready } = await cluster.progress();
      fetched = done;
      return ready === 0 && done >= pages * 0.95;
    });
    const usage = usageOf(node.pid!);
    node.kill('SIGTERM');
    await ended;
    return costRow('one node', fetched, usage!.cpuSeconds);
  } finally {
    await cluster.close();
    await web.close();
  }
}

function costRow(name: string, pages: number, cpuSeconds: number): BenchRow {
  return { name: `cost, ${name}`, pages, 'cpu ms/page': (cpuSeconds / pages) * 1000 };
}

function rateRatios(rows: readonly BenchRow[]): Record<string, number> {
  const one = rows.find(({ nodes }) => nodes === 1);
  if (!one) return {};
  const others = rows.filter(({ nodes }) => nodes !== 1);
  return Object.fromEntries(
    others.map((row) => [`rate${row.nodes}`, (row['pages/s'] as number) / (one['pages/s'] as number)]),
  );
}

function costRatios(rows: readonly BenchRow[]): Record<string, number> {
  if (rows.length === 0) return {};
  const of = (name: string) =>
    mean(rows.filter((row) => row.name === `cost, ${name}`).map((row) => row['cpu ms/page'] as number));
  return { cpuOverEmbedded: of('one node') / of('embedded') };
}

async function until(what: string, isTrue: () => Promise<boolean>): Promise<void> {
  const endAt = performance.now() + PATIENCE_MS;
  while (!(await isTrue())) {
    if (performance.now() > endAt) throw new Error(`waited too long: ${what}`);
    await sleep(POLL_MS);
  }
}
