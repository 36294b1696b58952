/** Opens a crawler from seeds and settings, for `gyre crawl` and `gyre up`. */
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import { type Log, messageOf, Random, systemClock, UsageError } from '../../base/mod.ts';
import {
  type Crawler,
  createRobotsOverrides,
  HostDelays,
  isLocalhost,
  LOOPBACK,
  type NearDuplicateOptions,
  openCrawler,
  openCrawlState,
  type PolitenessOptions,
  parseRevisitPolicy,
  type RevisitOptions,
} from '../../crawl/mod.ts';
import { newestRanks, openRanks } from '../../graph/mod.ts';
import { type ReadingPlan, RuleFiles } from '../../page/mod.ts';
import { type CanonicalUrl, hostOf, originOf, parseHostAccess, type UrlRulesPlan } from '../../url/mod.ts';
import { type DataDirectory, type DataSettings, writeSettings } from '../data-directory.ts';
import { LiveRemovals } from '../removals/mod.ts';
import { followRequests } from '../requests/mod.ts';
import { type Config, memoryShareOf, SHARES } from '../settings/mod.ts';
import { classifierOf } from '../topics/mod.ts';
import { PRODUCT, VERSION } from '../version.ts';
import { watchCommands } from './control.ts';
import { watchDiskSpace } from './disk-space.ts';

const RANKS_MS = 60_000;
const MIN_READER_THREADS = 2;
const MAX_READER_THREADS = 4;
const UNREACHABLE = 'seed-unreachable';

/** Returns true if no contact is set although requests may leave this machine. */
export function needsContact(settings: Pick<DataSettings, 'seeds' | 'contact'>, { crawl }: Config): boolean {
  const { contact, seeds } = settings;
  const staysHere = crawl.scope !== 'web' && crawl.domains.every(isLocalhost);
  return contact === '' && !(staysHere && seeds.every((seed) => isLoopback(seed as CanonicalUrl)));
}

/** Throws a UsageError if the settings lack a contact that they need. */
export function checkContact(settings: Pick<DataSettings, 'seeds' | 'contact'>, config: Config): void {
  if (needsContact(settings, config)) throw contactNeeded();
}

export function contactNeeded(): UsageError {
  return new UsageError(
    'contact-needed',
    'missing contact, with which site owners can reach you: add --contact mailto:you@example.org or the URL of a page about your crawler',
  );
}

interface CrawlSession {
  crawler: Crawler;
  /** Runs the crawl. Resolves when it has ended and everything is closed; rejects if no seed ever responded. */
  run(): Promise<void>;
}

/** Opens the crawl of a data directory. Its settings must have at least one seed. */
export async function openCrawl(
  data: DataDirectory,
  settings: DataSettings,
  config: Config,
  options: { keepRunning: boolean; log: Log },
): Promise<CrawlSession> {
  const cacheBytes = memoryShareOf(config.memoryBytes, SHARES.database);
  const state = openCrawlState(data.root, { cacheBytes });
  const seeds = settings.seeds as CanonicalUrl[];
  const unreachable = new Map<string, string>();
  const removals = new LiveRemovals(data.root);
  const isFirstCrawl = (await state.counts()).done === 0;
  const crawler = await openCrawler({
    ...crawlOptions(config, settings),
    ...options,
    revisit: config.crawl.revisit === 'auto' ? options.keepRunning : config.crawl.revisit === 'on',
    state,
    directory: data.root,
    archive: data.archive,
    journal: data.journal,
    urlRules: urlRulesPlan(config, seeds),
    reading: readingPlanOf(config, settings),
    topic: classifierOf(data.root, config.crawl.topic),
    robotsOverrides: createRobotsOverrides(config.crawl.robotsOverrides),
    removed: {
      matches: (url) => removals.urls.matches(url),
      coversHost: (origin) => removals.urls.coversHost(origin),
    },
    onUnreachable(origin, reason) {
      options.log.warn('host unreachable', { origin, reason });
      unreachable.set(origin, reason);
      const nothingYet = isFirstCrawl && crawler.snapshot().fetched === 0;
      if (nothingYet && seeds.every((seed) => unreachable.has(originOf(seed)))) crawler.stop();
    },
  });
  await crawler.addSeeds(seeds);
  const run = async () => {
    const unfollow = watchCommands(data.root, crawler);
    const unrequest = await followRequests(data.root, crawler, options.log);
    const space = watchDiskSpace(data.root.path, {
      leastBytes: config.crawl.minFreeSpaceBytes,
      log: options.log,
      onChange: (isFull) => crawler.diskFull(isFull),
    });
    const ranksBytes = memoryShareOf(config.memoryBytes, SHARES.ranks);
    const unrank = followRanks(data, crawler, options.log, ranksBytes);
    await crawler.run().finally(() => {
      unfollow();
      unrequest();
      space.end();
      unrank();
      state.close();
    });
    const nothing = isFirstCrawl && crawler.snapshot().fetched === 0;
    if (nothing && unreachable.size > 0) throw noSeedAnswered(unreachable);
  };
  return { crawler, run };
}

/** Returns the operator's choices about reading the pages of a data directory. */
export function readingPlanOf(
  { crawl }: Config,
  { collections = [] }: Pick<DataSettings, 'collections'>,
): ReadingPlan {
  return { extractors: crawl.extractors, collections, recordRules: crawl.recordRules };
}

export function urlRulesPlan({ crawl }: Config, seeds: readonly CanonicalUrl[]): UrlRulesPlan {
  const { rules, blockLists: lists, maxUrlLength, maxDepth, scope, domains } = crawl;
  return { config: { rules, lists, maxUrlLength, maxDepth }, scope, seeds, domains };
}

/**
 * Passes the ranks of the last rank run to the crawler, and newer ranks whenever they are written. Returns a function
 * that stops this. If the ranks are damaged, the crawl continues without ranks until newer ranks are written.
 */
function followRanks(data: DataDirectory, crawler: Crawler, log: Log, residentBytes: number): () => void {
  let generation = 0;
  let current: ReturnType<typeof openRanks> = null;
  const follow = () => {
    const newest = newestRanks(data.graph);
    if (newest === generation) return;
    generation = newest;
    try {
      const ranks = openRanks(data.graph, residentBytes);
      if (!ranks) return;
      crawler.useRanks((fingerprint) => ranks.relativeRankOf(fingerprint));
      current?.close();
      current = ranks;
    } catch (error) {
      log.warn('ranks unreadable, not used', { reason: messageOf(error), advice: 'run gyre rank' });
    }
  };
  follow();
  const timer = setInterval(follow, RANKS_MS);
  return () => {
    clearInterval(timer);
    current?.close();
  };
}

/** Checks that a crawl can start, before any file is created. Throws a UsageError if it cannot. */
export function checkCrawl(config: Config, settings: Pick<DataSettings, 'seeds' | 'contact'>): void {
  crawlOptions(config, settings);
  new RuleFiles(config.crawl.recordRules);
  createRobotsOverrides(config.crawl.robotsOverrides);
}

/** Converts the settings to options of a crawl that do not depend on its state and its files. */
export function crawlOptions(config: Config, settings: Pick<DataSettings, 'seeds' | 'contact'>) {
  const { crawl } = config;
  const loopback = settings.seeds.some((seed) => isLoopback(seed as CanonicalUrl));
  return {
    clock: systemClock,
    random: new Random(Date.now()),
    userAgent:
      settings.contact === '' ? `${PRODUCT}/${VERSION}` : `${PRODUCT}/${VERSION} (+${settings.contact})`,
    software: `${PRODUCT} ${VERSION}`,
    politeness: politenessOf(config),
    hostGroups: {
      addressDelayMs: crawl.addressDelayMs,
      groups: Object.entries(crawl.groups).map(([name, hosts]) => ({ name, hosts })),
    },
    // One core is left for the crawl thread, which uses about half of it.
    readerThreads: Math.min(Math.max(availableParallelism() - 1, MIN_READER_THREADS), MAX_READER_THREADS),
    concurrency: crawl.concurrency,
    maxPages: crawl.maxPages,
    icons: crawl.icons === 'on',
    maxUrlsPerHost: crawl.maxUrlsPerHost,
    budget: {
      basePages: crawl.pagesPerHost,
      maxPages: Math.max(crawl.pagesPerHost, crawl.maxUrlsPerHost),
    },
    maxBodyBytes: crawl.maxBodyBytes,
    memory: {
      heldBytes: memoryShareOf(config.memoryBytes, SHARES.heldBodies),
      seenBytes: memoryShareOf(config.memoryBytes, SHARES.seen),
      parserHeapBytes: memoryShareOf(config.memoryBytes, SHARES.parserHeap),
    },
    timeLimitMs: atLeast('crawl.timeLimit', crawl.timeLimitMs, 100),
    readLimitMs: readLimitOf(config),
    nearDuplicates: nearDuplicatesOf(config),
    warcBytes: config.archive.fileSizeBytes,
    warcCompression: config.archive.compression,
    allowAddresses: loopback ? [...crawl.allowAddresses, ...LOOPBACK] : crawl.allowAddresses,
    resolve: { ...crawl.resolve },
    dnsCacheMs: crawl.dnsCacheMs,
    revisits: revisitOptions(crawl),
    proxy: crawl.proxy,
    access: parseHostAccess(crawl.hostCredentials),
    authorities: crawl.authorities.map(readAuthority),
  };
}

/** Returns the settings that decide how long a host waits between requests. */
export function politenessOf({ crawl }: Pick<Config, 'crawl'>): PolitenessOptions {
  const { delayMs, delayFactor } = crawl;
  return { delayMs, delayFactor, hostDelays: new HostDelays(crawl.hostDelaysMs) };
}

export function readLimitOf({ crawl }: Config): number {
  return atLeast('crawl.readLimit', crawl.readLimitMs, 1000);
}

export function nearDuplicatesOf({ crawl }: Config): NearDuplicateOptions {
  const { nearDuplicateThreshold: similarity, minShingles, maxSketches } = crawl;
  return { similarity, minShingles, maxEntries: maxSketches };
}

function atLeast(key: string, valueMs: number, leastMs: number): number {
  if (valueMs >= leastMs) return valueMs;
  throw new UsageError(
    'bad-setting',
    `${key} must be at least ${leastMs} ms: shorter limits fail every request`,
  );
}

function readAuthority(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new UsageError('bad-setting', `crawl.authorities: cannot read ${file}: ${messageOf(cause)}`, {
      cause,
    });
  }
}

function revisitOptions({
  revisitFirstMs: revisitFirst,
  revisitMinMs: revisitMin,
  revisitMaxMs: revisitMax,
  revisitsPerDay: visitsPerDay,
  revisitPolicies: policies,
}: Config['crawl']): RevisitOptions {
  for (const sentence of policies) parseRevisitPolicy(sentence);
  if (revisitMin > 0 && revisitMin <= revisitFirst && revisitFirst <= revisitMax)
    return { firstMs: revisitFirst, minMs: revisitMin, maxMs: revisitMax, visitsPerDay, policies };
  throw new UsageError(
    'bad-setting',
    'crawl.revisitFirst must be between crawl.revisitMin and crawl.revisitMax, and none may be 0',
  );
}

/**
 * Returns true if the URL itself names loopback: `localhost`, `127.*` or `::1`. Other names that resolve to
 * loopback do not count.
 */
function isLoopback(url: CanonicalUrl): boolean {
  const host = hostOf(url).replace(/^\[|\]$/g, '');
  return isLocalhost(host) || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

/** Removes seeds that never responded from gyre.json, so that a mistyped seed does not affect later crawls. */
export function forgetUnreachable(error: unknown, data: DataDirectory, before: DataSettings): void {
  if (error instanceof UsageError && error.code === UNREACHABLE) writeSettings(data.root, before);
}

function noSeedAnswered(unreachable: ReadonlyMap<string, string>): UsageError {
  const list = [...unreachable].map(([origin, reason]) => `${origin} (${reason})`).join(', ');
  const isPrivate = [...unreachable.values()].includes('address not allowed');
  const advice = isPrivate
    ? 'list it in crawl.allowAddresses if it is yours'
    : 'check the address and the network';
  return new UsageError(UNREACHABLE, `no seed responded: ${list}; ${advice}`);
}
