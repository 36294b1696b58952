/**
 * npm run bench:lifecycle — measures start, status and stop of `gyre up` or `gyre serve` on existing data.
 *
 *   --data DIR      data directory; use a copy, because `gyre up` continues its crawl (required)
 *   --command NAME  up or serve (serve)
 *   --config FILE   configuration
 *   --memory SIZE   memory limit
 *   --run SECONDS   time between ready and stop (10)
 *   --json          one JSON object as the last line
 *
 *   start    from the start of the process until `/readyz` says 200
 *   status   `gyre status` while it runs
 *   stop     from SIGINT until the process has ended; indexing, ranking or embedding is usually under way
 *
 * `cpuSeconds` is the processor time of the process until the end of the step; unlike `seconds` it does not
 * depend on other load. `peakRssMB` is the highest resident memory so far, from /proc.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { UsageError } from '../../src/base/mod.ts';
import { type BenchRow, report } from '../report.ts';

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    command: { type: 'string', default: 'serve' },
    config: { type: 'string' },
    memory: { type: 'string' },
    run: { type: 'string', default: '10' },
    json: { type: 'boolean', default: false },
  },
});
if (values.data === undefined) throw new UsageError('no-data', 'missing --data DIR');

const GYRE = join(import.meta.dirname, '..', '..', 'bin', 'gyre');
const POLL_MS = 10;
const TICKS_PER_SECOND = 100;
const common = ['--data', values.data, ...option('config', values.config)];

function option(name: string, value: string | undefined): string[] {
  return value === undefined ? [] : [`--${name}`, value];
}

const startedAt = performance.now();
const arguments_ = [GYRE, values.command, ...common, ...option('memory', values.memory), '--port', '0'];
const server = spawn(process.execPath, arguments_, { stdio: ['ignore', 'pipe', 'inherit'] });
const ended = once(server, 'exit');
const rows: BenchRow[] = [row('start', await secondsUntilReady())];
await sleep(1000 * Number(values.run));
rows.push(row('status', secondsOfStatus()));
const before = costs();
const stoppedAt = performance.now();
server.kill('SIGINT');
const [code] = (await ended) as [number | null];
if (code !== 0) throw new Error(`gyre ${values.command} ended with code ${code}`);
rows.push({ name: 'stop', seconds: secondsSince(stoppedAt), ...before });
report(rows, {}, values.json);

async function secondsUntilReady(): Promise<number> {
  let printed = '';
  server.stdout.on('data', (chunk: Buffer) => {
    printed += chunk.toString();
  });
  for (;;) {
    const address = /search at (http:\S+)/.exec(printed)?.[1];
    if (address && (await isReady(address))) return secondsSince(startedAt);
    if (server.exitCode !== null) throw new Error(`gyre ${values.command} ended before it was ready`);
    await sleep(POLL_MS);
  }
}

async function isReady(address: string): Promise<boolean> {
  try {
    return (await fetch(`${address}/readyz`)).ok;
  } catch {
    return false;
  }
}

function secondsOfStatus(): number {
  const begunAt = performance.now();
  const { status } = spawnSync(process.execPath, [GYRE, 'status', ...common], { stdio: 'ignore' });
  if (status !== 0) throw new Error(`gyre status ended with code ${status}`);
  return secondsSince(begunAt);
}

function secondsSince(moment: number): number {
  return (performance.now() - moment) / 1000;
}

function row(name: string, seconds: number): BenchRow {
  return { name, seconds, ...costs() };
}

function costs(): { cpuSeconds: number; peakRssMB: number } {
  const read = (file: string) => readFileSync(`/proc/${server.pid}/${file}`, 'utf8');
  const fields = read('stat')
    .replace(/^.*\) /, '')
    .split(' ');
  const cpuSeconds = (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
  return { cpuSeconds, peakRssMB: Number(/VmHWM:\s+(\d+)/.exec(read('status'))?.[1] ?? 0) / 1024 };
}
