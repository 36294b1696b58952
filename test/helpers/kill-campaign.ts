/**
 * Kills a crawl of a difficult web repeatedly, and checks its guarantees: every page is archived exactly once
 * (counted by an independent WARC reader), every document is found by search, no rule of politeness or
 * robots.txt is violated (according to the server's log), every trap is bounded, and the icon of every site
 * is requested once, or again only if the response was lost.
 */
import { join } from 'node:path';
import { openDirectory, Random, silentLog, sleep, systemClock } from '../../src/base/mod.ts';
import { openSearcher, type Searcher } from '../../src/query/mod.ts';
import { politenessViolations, robotsViolations } from '../../src/synthetic-web/checkers.ts';
import type { Features } from '../../src/synthetic-web/features.ts';
import { type SyntheticWeb, startWeb } from '../../src/synthetic-web/server.ts';
import { Gyre, gyre } from './gyre.ts';
import { archivedCounts, writeConfig } from './synthetic-crawl.ts';

export interface CampaignOptions {
  seed: number;
  kills: number;
  hosts: number;
  pages: number;
  /** An empty directory for all files of the test. */
  directory: string;
  say(line: string): void;
}

export interface CampaignReport {
  seed: number;
  /** The number of kills of a running crawl. `buildKills` is the number of kills of a running build. */
  crawlKills: number;
  buildKills: number;
  requests: number;
  archived: number;
  searched: number;
  /** A sentence for each violated guarantee; empty if there are none. */
  broken: string[];
}

const FEATURES: Features = {
  robots: true,
  redirects: true,
  redirectLoops: true,
  exactDuplicates: 20,
  nearDuplicates: 32,
  canonical: true,
  mirrors: true,
  soft404: true,
  sitemaps: true,
  errors404: true,
  flaky: true,
  tooMany: true,
  calendarTrap: true,
  pathTrap: true,
  parameterTrap: true,
  templateTrap: true,
  sessionTrap: true,
};
const DELAY_MS = 30;
/** The tolerance for the imprecision of timers and of the kernel. */
const TOLERANCE_MS = 3;
/** The approximate number of requests for feature pages, including requests that are repeated after a kill. */
const FEATURE_REQUESTS = 1200;
/** The maximum number of requests that a trap may take between two kills. */
const TRAP_REQUESTS_PER_LIFE = 60;

export async function killCampaign(options: CampaignOptions): Promise<CampaignReport> {
  const { seed, kills, hosts, pages, directory, say } = options;
  const random = new Random(seed);
  const web = await startWeb({ seed, hosts, pages, features: FEATURES });
  try {
    const data = join(directory, 'data');
    const command = ['--data', data, '--config', writeConfig(directory, { delay: `${DELAY_MS}ms` })];
    const mean = (pages + FEATURE_REQUESTS) / (kills + 1);
    const crawlKills = await killCrawls(web, command, { random, kills, mean, say });
    const last = await gyre(['crawl', ...command, ...web.seeds]);
    const buildKills = await killBuilds(command, random, say);
    const build = await gyre(['build', ...command]);
    const broken = [last, build].flatMap(({ code, stderr }) =>
      code === 0 ? [] : [`ended with ${code}: ${stderr}`],
    );
    const archived = await archivedCounts(data);
    broken.push(...brokenRules(web), ...brokenArchive(web, archived), ...endlessTraps(web, kills));
    broken.push(...brokenIcons(web, kills));
    const index = openDirectory(join(data, 'index'));
    const searcher = openSearcher(index, { log: silentLog, clock: systemClock });
    const wanted = wantedWords(web);
    broken.push(...(await brokenSearch(searcher, wanted)));
    searcher.close();
    const [requests, searched] = [web.log.length, wanted.size];
    return { seed, crawlKills, buildKills, requests, archived: archived.size, searched, broken };
  } finally {
    await web.close();
  }
}

interface KillPlan {
  random: Random;
  kills: number;
  /** The average number of requests between two kills. */
  mean: number;
  say(line: string): void;
}

/**
 * Kills the crawl after a random number of requests and a random delay, so that the kill may happen between any
 * two steps.
 */
async function killCrawls(web: SyntheticWeb, command: string[], plan: KillPlan): Promise<number> {
  let met = 0;
  for (let kill = 1; kill <= plan.kills; kill++) {
    const crawl = new Gyre(['crawl', ...command, ...web.seeds]);
    const until = web.log.length + plan.random.between(1, Math.ceil(1.3 * plan.mean));
    while (web.log.length < until && crawl.child.exitCode === null) await sleep(2);
    await sleep(plan.random.below(300));
    const { code } = await crawl.kill('SIGKILL');
    if (code === null) met++;
    plan.say(`kill ${kill} after ${web.log.length} requests${code === null ? '' : ': it had ended before'}`);
  }
  return met;
}

async function killBuilds(command: string[], random: Random, say: (line: string) => void): Promise<number> {
  let met = 0;
  for (let kill = 1; kill <= 2; kill++) {
    const build = new Gyre(['build', ...command]);
    await sleep(200 + random.below(1500));
    const { code } = await build.kill('SIGKILL');
    if (code === null) met++;
    say(`build killed${code === null ? '' : ': it had ended before'}`);
  }
  return met;
}

function brokenRules(web: SyntheticWeb): string[] {
  const limits = { delayMs: DELAY_MS, toleranceMs: TOLERANCE_MS };
  const violations = [
    ...politenessViolations(web.log, web.plan, limits),
    ...robotsViolations(web.log, web.plan),
  ];
  return violations.map(({ message }) => message);
}

function brokenArchive(web: SyntheticWeb, archived: ReadonlyMap<string, number>): string[] {
  const twice = [...archived].filter(([, count]) => count > 1).map(([url]) => `archived twice: ${url}`);
  const pages = [...web.plan.plainPages(web.port)].filter(({ url }) => !archived.has(url));
  return [...twice, ...pages.map(({ url }) => `not archived: ${url}`)];
}

function endlessTraps(web: SyntheticWeb, kills: number): string[] {
  const { calendarTrap, pathTrap, parameterTrap, templateTrap, sessionTrap } = web.plan.truth;
  const traps = [...calendarTrap, ...pathTrap, ...parameterTrap, ...templateTrap, ...sessionTrap];
  const most = TRAP_REQUESTS_PER_LIFE * (kills + 1);
  return traps.flatMap(({ host }) => {
    const count = web.log.entries().filter((entry) => entry.host === host).length;
    return count > most ? [`${host} took ${count} requests`] : [];
  });
}

function brokenIcons(web: SyntheticWeb, kills: number): string[] {
  const asked = web.log.entries().filter(({ path }) => path === '/favicon.ico');
  const counts = Map.groupBy(asked, ({ host }) => host);
  return web.plan.hosts.flatMap((host) => {
    const count = counts.get(host)?.length ?? 0;
    return count >= 1 && count <= kills + 1 ? [] : [`${host} was asked for its icon ${count} times`];
  });
}

/** Returns the words for which a search must find exactly one document, or near duplicates of that document. */
function wantedWords(web: SyntheticWeb): Map<string, string> {
  const { truth } = web.plan;
  const words = new Map<string, string>();
  for (const { uniqueWord, url } of web.plan.plainPages(web.port)) words.set(uniqueWord, url);
  for (const { uniqueWord, original } of truth.exactDuplicates) words.set(uniqueWord, original.path);
  for (const { uniqueWord, variant } of truth.canonical) words.set(uniqueWord, variant.path);
  for (const { host, hidden, kind } of truth.sitemaps) {
    if (kind === 'unannounced') continue;
    for (const { uniqueWord, path } of hidden) words.set(uniqueWord, host + path);
  }
  for (const { kind, only, uniqueWords } of truth.mirrors) {
    for (const word of [only.uniqueWord, ...uniqueWords]) words.set(word, `mirrors, ${kind}`);
  }
  for (const { host, honest } of [...truth.calendarTrap, ...truth.pathTrap, ...truth.templateTrap]) {
    for (const { uniqueWord, path } of honest) words.set(uniqueWord, host + path);
  }
  return words;
}

async function brokenSearch(searcher: Searcher, wanted: ReadonlyMap<string, string>): Promise<string[]> {
  const broken: string[] = [];
  for (const [word, where] of wanted) {
    const { results } = await searcher.search({ query: word, offset: 0, limit: 3, collapse: true });
    if (results.length === 1) continue;
    broken.push(`${word} of ${where} is found ${results.length} times: ${results.map(({ url }) => url)}`);
  }
  return broken;
}
