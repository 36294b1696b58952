/**
 * gyre selftest: crawls the synthetic web on loopback, with all of its kinds of pages and misbehaviour, and compares the
 * result with the known contents of that web. It shows an operator whether Gyre works on this machine.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ArchiveReader } from '../../archive/mod.ts';
import { GyreError, silentLog, systemClock } from '../../base/mod.ts';
import { openCrawlState } from '../../crawl/mod.ts';
import { openSearcher } from '../../query/mod.ts';
import { type SyntheticWeb, startWeb, WEB_FEATURE_NAMES } from '../../synthetic-web/mod.ts';
import { type Command, type Invocation, table } from '../arguments.ts';
import { openData } from '../data-directory.ts';
import { print, printJson } from '../output.ts';
import { type Check, checksOf, crawlWithKill } from '../selftest/mod.ts';
import { buildOnce, rankOnce } from '../sessions/index-session.ts';
import type { Config } from '../settings/mod.ts';

const PAGES = 200;
const DELAY_MS = 20;

export const selftestCommand: Command = {
  name: 'selftest',
  positionals: '',
  summary: 'Crawls a synthetic web on this machine, searches it, and checks every step',
  examples: ['gyre selftest'],
  settings: [],
  flags: [{ name: 'json', kind: 'boolean', help: 'print the checks as one JSON object' }],
  run: selftest,
};

async function selftest({ config, flags }: Invocation): Promise<void> {
  const features = Object.fromEntries(WEB_FEATURE_NAMES.map((name) => [name, true as const]));
  const tuning = { bombBytes: 50e6, slowMs: 500 };
  const web = await startWeb({ seed: 1, hosts: 15, pages: PAGES, features, tuning });
  const directory = mkdtempSync(join(tmpdir(), 'gyre-selftest-'));
  const startedAt = Date.now();
  try {
    const checks = await crawlAndCheck(web, config, directory);
    const seconds = (Date.now() - startedAt) / 1000;
    if (flags.json) printJson({ checks, seconds });
    else report(checks, seconds);
    if (!checks.every((check) => check.passed))
      throw new GyreError('selftest-failed', 'the self-test failed');
  } finally {
    await web.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

async function crawlAndCheck(web: SyntheticWeb, config: Config, directory: string): Promise<Check[]> {
  const path = join(directory, 'data');
  const killedAt = await crawlWithKill(web, { directory, data: path, delayMs: DELAY_MS });
  const data = openData(path);
  await buildOnce(data, { ...config, data: path }, silentLog, new AbortController().signal);
  rankOnce(data, silentLog);
  const state = openCrawlState(data.root, { readOnly: true });
  const archive = new ArchiveReader(data.archive);
  const searcher = openSearcher(data.index, { log: silentLog, clock: systemClock });
  try {
    return await checksOf({ web, state, archive, searcher, delayMs: DELAY_MS, killedAt });
  } finally {
    searcher.close();
    archive.close();
    state.close();
  }
}

function report(checks: readonly Check[], seconds: number): void {
  print(
    table(checks.map(({ name, passed, detail }) => [`${passed ? 'ok' : 'FAULT'} ${name}`, detail])).trimEnd(),
  );
  print(`in ${seconds.toFixed(1)} s`);
}
