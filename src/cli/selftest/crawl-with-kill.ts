/** Crawls the synthetic web in a process that is killed in the middle of the crawl, and in a second one that continues. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { GyreError, sleep } from '../../base/mod.ts';
import type { SyntheticWeb } from '../../synthetic-web/mod.ts';

interface SelftestPlace {
  /** An empty directory for all files of the test. */
  directory: string;
  /** The data directory of the crawl, in `directory`. */
  data: string;
  delayMs: number;
}

/** The number of requests after which the crawl is killed. */
const KILL_AFTER = 300;
const POLL_MS = 5;

/** Returns the number of requests at the kill. Throws if the second process does not end well. */
export async function crawlWithKill(web: SyntheticWeb, place: SelftestPlace): Promise<number> {
  const args = ['crawl', ...web.seeds, '--data', place.data, '--config', writeConfig(place)];
  const first = start(args);
  while (web.log.length < KILL_AFTER && first.child.exitCode === null && first.child.signalCode === null)
    await sleep(POLL_MS);
  first.child.kill('SIGKILL');
  await first.ended;
  const atKill = web.log.length;
  const second = start(args);
  await second.ended;
  if (second.child.exitCode !== 0)
    throw new GyreError('selftest-failed', `the crawl did not continue after a kill:\n${second.output()}`);
  return atKill;
}

function writeConfig({ directory, delayMs }: SelftestPlace): string {
  const file = join(directory, 'gyre.config.json');
  const reachable = { resolve: { '*.test': '127.0.0.1' }, allowAddresses: ['127.0.0.0/8'] };
  const limits = { scope: 'host', domains: ['test'], delay: `${delayMs}ms`, timeLimit: '2s' };
  const contact = 'https://example.org/selftest';
  writeFileSync(file, JSON.stringify({ contact, crawl: { ...limits, ...reachable } }));
  return file;
}

function start(args: readonly string[]) {
  const command = [...process.execArgv, process.argv[1]!, ...args];
  const child = spawn(process.execPath, command, { stdio: ['ignore', 'ignore', 'pipe'] });
  let output = '';
  child.stderr.on('data', (bytes: Buffer) => (output += bytes));
  return { child, ended: once(child, 'close'), output: () => output };
}
