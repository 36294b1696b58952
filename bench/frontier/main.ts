/**
 * npm run bench:frontier — measures speed, memory and start-up time of the frontier as it grows.
 *
 *   --from N    number of known URLs at the first measurement (100,000)
 *   --to N      number of known URLs at the second measurement (10,000,000)
 *   --pages N   number of pages visited at each measurement (10,000)
 *   --json      prints one JSON object as the last line
 *
 * A crawl without fetching (crawl.ts) visits pages with 30 links, nine of them new, at both sizes. Between
 * the measurements it visits rich pages, which have more new links, to grow faster. Then a new process opens
 * the state on disk and takes its first lease. The figures include only the frontier, the seen set and the
 * state. Bars: pages per second fall by less than 15 %, less than 1 GB of memory, ready in less than 10 s.
 * Other load on the machine lowers pages per second, but not the ratio of CPU time.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Cost, measure } from '../process-cost.ts';
import { report } from '../report.ts';
import type { Window } from './worker.ts';

const { values } = parseArgs({
  options: {
    from: { type: 'string', default: '100000' },
    to: { type: 'string', default: '10000000' },
    pages: { type: 'string', default: '10000' },
    json: { type: 'boolean', default: false },
  },
});

const directory = mkdtempSync(join(tmpdir(), 'gyre-frontier-'));
try {
  const grown = await run('grow', directory, values.from, values.to, values.pages);
  const { windows, heldHosts } = JSON.parse(grown.stdout) as { windows: Window[]; heldHosts: number };
  const restarted = await run('restart', directory);
  const { known, readySeconds } = JSON.parse(restarted.stdout) as { known: number; readySeconds: number };
  const rows = [
    ...windows.map((window) => ({ name: 'visiting', ...window })),
    { name: 'whole run', known, peakRssMB: grown.peakRssMB, seconds: grown.seconds, heldHosts },
    { name: 'restart', known, peakRssMB: restarted.peakRssMB, seconds: readySeconds },
  ];
  const [small, large] = windows as [Window, Window];
  const ratios = {
    pagesPerSecondKept: large.pagesPerSecond / small.pagesPerSecond,
    cpuPerPageGrowth: large.cpuSecondsPer1000 / small.cpuSecondsPer1000,
  };
  report(rows, ratios, values.json);
} finally {
  rmSync(directory, { recursive: true, force: true });
}

async function run(...args: string[]): Promise<Cost> {
  const worker = join(import.meta.dirname, 'worker.ts');
  const cost = await measure(process.execPath, ['--disable-warning=ExperimentalWarning', worker, ...args]);
  if (cost.code !== 0) throw new Error(`${args[0]} ended with code ${cost.code}`);
  return cost;
}
