import { loadExtractors } from '../page/mod.ts';
import { type CanonicalUrl, fingerprint, keyOfPlan, rulesOfPlan } from '../url/mod.ts';
import { COMMIT_MS, CommitLoop } from './commit-loop.ts';
import { openFiles } from './crawl-files.ts';
import type { CrawlOptions, RemovedPages } from './crawl-options.ts';
import { CrawlProgress } from './crawl-progress.ts';
import { Crawler } from './crawler.ts';
import { AddressGuard, Fetcher, Resolver } from './fetch/mod.ts';
import { Domains, ForeignRequests, Frontier, HostGroups, Importance } from './frontier/mod.ts';
import { CanonicalClaims, MirrorHosts, MissingPages, PageIdentity } from './identity/mod.ts';
import { DirectLinkExchange } from './link-exchange.ts';
import { ResponseParser } from './parsing/mod.ts';
import { Recorder } from './recorder.ts';
import { RevisitSchedule } from './schedule/mod.ts';
import { Signal } from './signal.ts';
import { SlicedWork } from './sliced-work.ts';
import { checkClock, openMarks, PendingState } from './state/mod.ts';
import { openTraps } from './traps/mod.ts';
import {
  HostLeases,
  IconVisits,
  PageVisits,
  ParsingCosts,
  ProbeVisits,
  ResponseHandler,
  RobotsVisits,
  Visitor,
  type VisitServices,
} from './visit/mod.ts';

/** The name that is compared with the User-agent lines of robots.txt. */
export const PRODUCT_TOKEN = 'gyre';

const NOTHING_REMOVED: RemovedPages = { matches: () => false, coversHost: () => false };

/** Opens a crawler over a crawl state and its directories, and continues the work of an earlier run. */
export async function openCrawler(options: CrawlOptions): Promise<Crawler> {
  const { state, clock, random, log, politeness, budget, icons, revisits, robotsOverrides } = options;
  const extractors = await loadExtractors(options.reading.extractors);
  const marks = await openMarks(state, [options.archive, options.journal]);
  await checkClock(state, clock, log);
  // Hosts that an earlier run parked because of their IP address are tried again, because the configuration may have
  // changed.
  await state.unparkFailed('address-refused');

  const changed = new Signal();
  const progress = new CrawlProgress();
  const urlRules = rulesOfPlan(options.urlRules);
  await state.useRules(keyOfPlan(options.urlRules));
  const importance = new Importance({ isTopical: options.topic !== undefined });
  const findings = new PendingState(state);
  const traps = openTraps(clock, findings);
  const schedule = new RevisitSchedule({ ...revisits, notes: findings, clock });
  schedule.restore(await state.schedule());
  const domains = new Domains({ state, clock, budget, domains: options.urlRules.domains });
  const parser = openParser(options);
  const { captures, seen, seenLog, near, crawlLog, ledger } = await openFiles(options, marks);
  const recorder = new Recorder({
    state,
    parser,
    captures,
    exchange: options.exchange ?? new DirectLinkExchange(),
    seen,
    seenLog,
    near,
    crawlLog,
    ledger,
    importance,
    traps,
    domains,
    findings,
    urlRules,
    schedule,
    clock,
    maxUrlsPerHost: options.maxUrlsPerHost,
  });

  const missing = new MissingPages({ state, findings, near, clock, random });
  const claims = new CanonicalClaims({ findings, near, clock });
  const mirrors = new MirrorHosts({ state, findings, urlRules, clock, log });
  const linkedness = (url: CanonicalUrl) => importance.linkedness(fingerprint(url));
  const identity = new PageIdentity({ state, findings, near, missing, claims, mirrors, linkedness });
  const costs = new ParsingCosts({ clock, politeness });
  const handled = { parser, costs, identity, missing, traps, clock, icons };
  const responseHandler = new ResponseHandler(handled);

  const hostGroups = new HostGroups({ ...options.hostGroups, clock });
  const frontier = new Frontier({ state, importance, hostGroups, clock, domains });
  const foreign = new ForeignRequests({ frontier, hostGroups, clock, minDelayMs: politeness.delayMs });
  const fetcher = openFetcher(options);
  const onReleased = () => changed.notify();
  const leases = new HostLeases({
    state,
    frontier,
    recorder,
    ledger,
    politeness,
    clock,
    random,
    onReleased,
  });
  const services: VisitServices = {
    frontier,
    foreign,
    fetcher,
    responseHandler,
    recorder,
    leases,
    progress,
    slices: new SlicedWork(),
    urlRules,
    removed: options.removed ?? NOTHING_REMOVED,
    politeness,
    productToken: PRODUCT_TOKEN,
    clock,
    log,
    onUnreachable: options.onUnreachable,
  };
  const visitor = new Visitor(services, {
    robotsVisits: new RobotsVisits(services),
    iconVisits: new IconVisits(services, { robotsOverrides, icons }),
    probeVisits: new ProbeVisits(services),
    pageVisits: new PageVisits(services, {
      ...{ state, traps, mirrors, extractors, revisits, schedule },
      importanceOf: (key) => importance.relativeImportance(key),
    }),
    costs,
    traps,
    domains,
    missing,
    schedule,
    robotsOverrides,
    budget,
  });

  const { revisit, keepRunning, concurrency, maxPages } = options;
  const commits = new CommitLoop({
    state,
    recorder,
    ledger,
    frontier,
    domains,
    claims,
    mirrors,
    progress,
    clock,
    changed,
    wakesUrls: revisit && keepRunning,
    commitMs: options.commitMs ?? COMMIT_MS,
  });
  await mirrors.resume();
  recorder.addDerivedRecords(await claims.resume());
  progress.queueChanged((await state.counts()).ready);
  await frontier.resume(politeness.delayMs);
  for (let more = revisit; more; ) more = await commits.wakeUrls();
  return new Crawler({
    frontier,
    visitor,
    recorder,
    commits,
    parser,
    fetcher,
    urlRules,
    importance,
    domains,
    progress,
    changed,
    clock,
    log,
    concurrency,
    maxPages,
    maxHeldBytes: options.memory.heldBytes,
    keepRunning,
    mayFetch: options.mayFetch ?? (() => true),
  });
}

function openParser(options: CrawlOptions): ResponseParser {
  return new ResponseParser({
    urlRules: options.urlRules,
    maxBodyBytes: options.maxBodyBytes,
    threads: options.readerThreads,
    heapBytes: options.memory.parserHeapBytes,
    reading: options.reading,
    topic: options.topic,
    limitMs: options.readLimitMs,
    log: options.log,
  });
}

function openFetcher(options: CrawlOptions): Fetcher {
  const { userAgent, clock, timeLimitMs, maxBodyBytes, proxy, authorities, access, mayFetch } = options;
  const guard = new AddressGuard(options.allowAddresses);
  const resolver = new Resolver(options.resolve, guard, clock, options.dnsCacheMs);
  return new Fetcher({
    guard,
    resolver,
    proxy,
    authorities,
    access,
    userAgent,
    clock,
    timeLimitMs,
    maxBodyBytes,
    ...(mayFetch && { mayFetch }),
  });
}
