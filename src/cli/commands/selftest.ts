/**
 * gyre selftest: crawls the synthetic web on loopback through the real pipeline and compares the result with
 * the known contents of that web. It shows an operator whether Gyre works on this machine.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GyreError, silentLog, systemClock } from '../../base/mod.ts';
import { openSearcher } from '../../query/mod.ts';
import {
  politenessViolations,
  robotsViolations,
  type SyntheticWeb,
  startWeb,
  type Violation,
} from '../../synthetic-web/mod.ts';
import { type Command, type Invocation, table } from '../arguments.ts';
import { openData, readSettings } from '../data-directory.ts';
import { print, printJson } from '../output.ts';
import { readSeeds, withSeeds } from '../seeds/mod.ts';
import { openCrawl } from '../sessions/crawl-session.ts';
import { buildOnce, rankOnce } from '../sessions/index-session.ts';
import type { Config } from '../settings/mod.ts';

const PAGES = 500;
const DELAY_MS = 20;
const TOLERANCE_MS = 5;

export const selftestCommand: Command = {
  name: 'selftest',
  positionals: '',
  summary: 'Crawls a synthetic web on this machine, searches it, and checks every step',
  examples: ['gyre selftest'],
  settings: [],
  flags: [{ name: 'json', kind: 'boolean', help: 'print the checks as one JSON object' }],
  run: selftest,
};

interface Check {
  name: string;
  passed: boolean;
  detail: string;
}

async function selftest({ config, flags }: Invocation): Promise<void> {
  const features = { robots: true, redirects: true, exactDuplicates: true, errors404: true } as const;
  const web = await startWeb({ seed: 1, hosts: 25, pages: PAGES, features });
  const path = mkdtempSync(join(tmpdir(), 'gyre-selftest-'));
  const startedAt = Date.now();
  try {
    const checks = await crawlAndCheck(web, syntheticConfig(config, path));
    const seconds = (Date.now() - startedAt) / 1000;
    if (flags.json) printJson({ checks, seconds });
    else report(checks, seconds);
    if (!checks.every((check) => check.passed))
      throw new GyreError('selftest-failed', 'the self-test failed');
  } finally {
    await web.close();
    rmSync(path, { recursive: true, force: true });
  }
}

function syntheticConfig(config: Config, data: string): Config {
  const reachable = { resolve: { '*.test': '127.0.0.1' }, allowAddresses: ['127.0.0.0/8'] };
  const limits = { delayMs: DELAY_MS, scope: 'host' as const, domains: ['test'] };
  const crawl: Config['crawl'] = { ...config.crawl, ...reachable, ...limits };
  return { ...config, data, crawl };
}

async function crawlAndCheck(web: SyntheticWeb, config: Config): Promise<Check[]> {
  const data = openData(config.data);
  const settings = withSeeds(readSettings(data.root), readSeeds(web.seeds), 'https://example.org/selftest');
  const session = await openCrawl(data, settings, config, { keepRunning: false, log: silentLog });
  await session.run();
  await buildOnce(data, config, silentLog, new AbortController().signal);
  rankOnce(data, silentLog);
  const limits = { delayMs: DELAY_MS, toleranceMs: TOLERANCE_MS };
  return [
    violations('politeness', politenessViolations(web.log, web.plan, limits)),
    violations('robots.txt', robotsViolations(web.log, web.plan)),
    await findEveryPage(web, config),
  ];
}

function violations(name: string, found: readonly Violation[]): Check {
  const detail = found.length === 0 ? 'no violation in the server’s log' : found[0]!.message;
  return { name, passed: found.length === 0, detail };
}

async function findEveryPage(web: SyntheticWeb, config: Config): Promise<Check> {
  const searcher = openSearcher(openData(config.data).index, { log: silentLog, clock: systemClock });
  let found = 0;
  for (const page of web.plan.plainPages(web.port)) {
    const { results } = await searcher.search({ query: page.uniqueWord, offset: 0, limit: 1 });
    if (results[0]?.url === page.url) found++;
  }
  searcher.close();
  return {
    name: 'search',
    passed: found === PAGES,
    detail: `${found} of ${PAGES} pages found by a word of their own`,
  };
}

function report(checks: readonly Check[], seconds: number): void {
  print(
    table(checks.map(({ name, passed, detail }) => [`${passed ? 'ok' : 'FAULT'} ${name}`, detail])).trimEnd(),
  );
  print(`in ${seconds.toFixed(1)} s`);
}
