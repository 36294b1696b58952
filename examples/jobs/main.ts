/**
 * Crawls a job portal until Ctrl-C and keeps a table of its postings: each posting once, with when it was first seen,
 * last seen and closed.
 *
 *   npm run example:jobs
 *   npm run example:jobs -- --data DIR --interval 10 --port 8080
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startWeb } from '../../src/synthetic-web/mod.ts';
import { crawlConfig, portalOptions } from './portal.ts';

interface Row {
  url: string;
  facts: { title: string[] };
  closed?: string;
  closedReason?: string;
}

const GYRE = join(import.meta.dirname, '..', '..', 'bin', 'gyre');

const { values } = parseArgs({
  options: {
    data: { type: 'string', default: 'data/jobs' },
    /** The seconds between two visits of a page, and between two exports. */
    interval: { type: 'string', default: '10' },
    /** The port of the search page. */
    port: { type: 'string', default: '8080' },
  },
});
const intervalMs = 1000 * Number(values.interval);
if (!(intervalMs > 0)) {
  console.error(`--interval takes a number of seconds, such as 10, not "${values.interval}"`);
  process.exit(2);
}

mkdirSync(values.data, { recursive: true });
const config = join(values.data, 'gyre.config.json');
writeFileSync(config, JSON.stringify(crawlConfig(intervalMs), null, 2));
const table = join(values.data, 'jobs.jsonl');
const portal = await startWeb(portalOptions(intervalMs));
const seeds = portal.seeds.filter((seed) => seed.includes('//jobs-'));
const crawl = run('up', '--data', values.data, '--config', config, '--port', values.port, ...seeds);

const stopping = Promise.withResolvers<void>();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.resolve());
crawl.once('exit', () => stopping.resolve());
let isStopping = false;
void stopping.promise.then(() => {
  isStopping = true;
});

let known = new Map<string, Row>();
while (!isStopping) {
  await Promise.race([stopping.promise, new Promise((resolve) => setTimeout(resolve, intervalMs))]);
  const rows = isStopping ? null : await exportTable();
  if (rows) known = report(known, rows);
}
if (crawl.exitCode === null && crawl.kill('SIGINT')) await once(crawl, 'exit');
await portal.close();
process.exitCode = crawl.exitCode ?? 0;

/** Starts a command that Ctrl-C does not reach, so that this program can end everything in order. */
function run(...args: string[]): ChildProcess {
  const stdio = ['ignore', args[0] === 'up' ? 'inherit' : 'ignore', 'inherit'] as const;
  return spawn(process.execPath, [GYRE, ...args], { stdio: [...stdio], detached: true });
}

/** Replaces the table in one step, so that readers never see a half of it. Returns null if there is nothing yet. */
async function exportTable(): Promise<Row[] | null> {
  if (globSync(join(values.data, 'journal', '*.journal')).length === 0) return null;
  const part = `${table}.part`;
  const chosen = ['--records', '--history', '--type', 'JobPosting'];
  const [code] = await once(run('export', ...chosen, '--data', values.data, '--out', part), 'exit');
  if (code !== 0) return null;
  renameSync(part, table);
  const lines = readFileSync(table, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Row);
}

/** Prints what has changed since the last export. Returns the rows by URL. */
function report(before: ReadonlyMap<string, Row>, rows: readonly Row[]): Map<string, Row> {
  const open = rows.filter(({ closed }) => closed === undefined);
  const opened = open.filter(({ url }) => !before.has(url));
  const closed = rows.filter(
    (row) => row.closed !== undefined && before.has(row.url) && !before.get(row.url)!.closed,
  );
  const parts = [
    `${open.length} open, ${rows.length - open.length} closed`,
    ...opened.map(({ facts }) => `+ ${facts.title[0]}`),
    ...closed.map(({ facts, closedReason }) => `- ${facts.title[0]} (${closedReason})`),
  ];
  console.log(parts.join('\n  '));
  return new Map(rows.map((row) => [row.url, row]));
}
