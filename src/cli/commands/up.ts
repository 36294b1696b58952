/**
 * gyre up [SEED…]: crawls, indexes and serves in one process. The main thread answers searches; the crawl and
 * the indexer each run in a thread, and the stages exchange data only through files.
 */

import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { type Directory, directoryAt, messageOf } from '../../base/mod.ts';
import type { SampleWeb } from '../../sample/mod.ts';
import { commandFor } from '../advice.ts';
import type { Command, Invocation } from '../arguments.ts';
import { watchChanges } from '../changes/mod.ts';
import {
  type DataDirectory,
  type DataSettings,
  missingPart,
  openData,
  readSettings,
  writeSettings,
} from '../data-directory.ts';
import { chooseStage, startDemo, withinSampleWeb } from '../demo.ts';
import { onInterrupt, STOPPING, stopped } from '../interrupts.ts';
import { lockCrawl, lockIndex } from '../locks.ts';
import { ProgressLine, print, stderrLog, tell } from '../output.ts';
import { isSettled, LiveRemovals, readRemovals } from '../removals/mod.ts';
import { gatherSeeds, readSeeds, SEED_FLAGS, seedUrls, withSeeds } from '../seeds/mod.ts';
import { describeFirstAccount, type Serving, startServing } from '../serving/mod.ts';
import { readCrawlCommand } from '../sessions/control.ts';
import { controlOwn, type LocalCrawl } from '../sessions/crawl-control.ts';
import { checkCrawl, contactNeeded, forgetUnreachable, needsContact } from '../sessions/crawl-session.ts';
import { checkServingMemory } from '../sessions/memory-need.ts';
import type { Config } from '../settings/mod.ts';
import {
  CrawlStage,
  type IndexReport,
  type IndexThreadInput,
  type MeaningStage,
  type RemovalThreadInput,
  restartWithSpace,
  spaceFor,
  startMeaning,
  startThread,
  UpProgress,
} from '../threads/mod.ts';

const REMOVALS_MS = 500;

export const upCommand: Command = {
  name: 'up',
  positionals: '[SEED…]',
  summary:
    'Crawls, indexes, ranks and serves until Ctrl-C; without seeds it continues the last crawl, or shows the demonstration',
  examples: [
    'gyre up https://example.org --contact mailto:you@example.org',
    'gyre up --data data/demo',
    'gyre up --cluster cluster.json --data node-data',
  ],
  settings: [
    'topic',
    'host',
    'port',
    'contact',
    'delay',
    'scope',
    'max-pages',
    'revisit',
    'extractors',
    'record-rules',
    'model',
  ],
  flags: [
    ...SEED_FLAGS,
    {
      name: 'cluster',
      kind: 'string',
      value: 'FILE',
      help: 'run all roles of the cluster of this file in one process instead (docs/cluster.md)',
    },
  ],
  leastMemory: '512Mi',
  run: up,
};

async function up(invocation: Invocation): Promise<void> {
  const { config: given, changeable, positionals, flags } = invocation;
  if (typeof flags.cluster === 'string')
    return await (await import('../cluster-admin/mod.ts')).startWholeCluster(flags.cluster, invocation);
  const seeds = gatherSeeds({ positionals, flags });
  const { config, demo } = chooseStage(given, seedUrls(seeds));
  const planned = withSeeds(readSettings(directoryAt(config.data)), seeds, config.contact);
  const contact = await settleContact(planned, config);
  checkCrawl(config, planned);
  const made = missingPart(config.data);
  const data = openData(config.data);
  checkServingMemory('up', data, config, stderrLog(config));
  const locks = [lockCrawl(data.root), lockIndex(data.root)];
  const before = readSettings(data.root);
  const settings = withSeeds(before, seeds, contact);
  const progress = new UpProgress(config.data, () => readCrawlCommand(data.root) === 'pause');
  let crawl: LocalCrawl | null = null;
  const control = controlOwn(data.root, () => crawl);
  const status = () => progress.status();
  const currentConfig = (samplePort: number | null) =>
    withinSampleWeb(chooseStage(changeable.reload(config.data), seedUrls(seeds)).config, samplePort);
  const { serving, web } = await openListeners(data, config, demo, {
    contact: settings.contact,
    control,
    status,
    changeable,
    isCrawling: true,
  }).catch((error) => {
    // Nothing was crawled yet, so the new data directory is removed: it would block the next start.
    for (const lock of locks) lock.release();
    if (made) rmSync(made, { recursive: true, force: true });
    throw error;
  });
  saveSettings(data, settings, web);
  if (web) print(`sample web of ${web.hostCount} hosts and ${web.pageCount} pages at ${web.seeds[0]}`);
  print(`search at ${serving.address}`);
  print(describeFirstAccount(serving));
  try {
    const configNow = () => currentConfig(web?.port ?? null);
    const stage = new CrawlStage(configNow(), data.root, progress);
    crawl = stage;
    const unwatch = followChanges(data, stage, configNow);
    await runStages(data, stage, progress, serving).finally(unwatch);
  } catch (error) {
    forgetUnreachable(error, data, before);
    throw error;
  } finally {
    await Promise.allSettled([serving.close(), web?.close()]);
    for (const lock of locks) lock.release();
  }
  tell(stopped(commandFor('up', config.data)));
}

interface Doors {
  serving: Serving;
  /** The sample web of the demonstration; null for a crawl of real sites. */
  web: SampleWeb | null;
}

/** Starts all servers. If a port is in use, closes the servers that were already started. */
async function openListeners(
  data: DataDirectory,
  config: Config,
  demo: boolean,
  options: Omit<Parameters<typeof startServing>[2], 'log'>,
): Promise<Doors> {
  const log = stderrLog(config);
  const serving = await startServing(data, config, { ...options, log });
  try {
    return { serving, web: demo ? await startDemo(data.root, log) : null };
  } catch (error) {
    await serving.close();
    throw error;
  }
}

/**
 * Asks for the contact if stdin is a terminal. The contact is saved with the data, so the question appears only
 * once.
 */
async function settleContact(settings: DataSettings, config: Config): Promise<string> {
  if (!needsContact(settings, config)) return settings.contact;
  if (!process.stdin.isTTY) throw contactNeeded();
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  const contact = await prompt.question('How can site owners reach you (mail address or URL)? ');
  prompt.close();
  if (contact.trim() === '') throw contactNeeded();
  return contact.trim();
}

function saveSettings(data: DataDirectory, settings: DataSettings, web: SampleWeb | null): void {
  const sample = web ? { samplePort: web.port, seeds: seedUrls(readSeeds(web.seeds)) } : {};
  writeSettings(data.root, { ...settings, ...sample });
}

/** Makes the crawl use seeds and settings that the operator changes in the dashboard. Returns a function that ends this. */
function followChanges({ root }: DataDirectory, crawl: CrawlStage, configNow: () => Config): () => void {
  return watchChanges(root, () => {
    try {
      crawl.reconfigure(configNow());
    } catch (error) {
      stderrLog(crawl.config).error('changed settings not used', { reason: messageOf(error) });
    }
  });
}

/**
 * Runs the stages until the user or the crawl ends them. When the list of removals changes, the stages are stopped,
 * the list is settled in a thread, and the stages start again; searches continue all the time.
 */
async function runStages(
  data: DataDirectory,
  crawl: CrawlStage,
  progress: UpProgress,
  serving: Serving,
): Promise<void> {
  const line = new ProgressLine();
  const interrupted = new Promise<'ended'>((resolve) => {
    onInterrupt(() => {
      line.clear();
      tell(STOPPING);
      resolve('ended');
    });
  });
  for (let next: 'removals' | 'ended' = 'removals'; next === 'removals'; ) {
    if ((await settleInThread(data, crawl.config, interrupted)) === 'ended') return;
    next = await runUntilRemoval({ data, crawl, progress, serving, line, interrupted });
  }
}

/** Settles the list of removals if necessary. An interrupted settlement is repeated at the next start. */
async function settleInThread(
  data: DataDirectory,
  config: Config,
  interrupted: Promise<'ended'>,
): Promise<'settled' | 'ended'> {
  if (isSettled(readRemovals(data.root))) return 'settled';
  const thread = startThread<RemovalThreadInput, never>(
    new URL('../threads/removal-thread.ts', import.meta.url),
    { config },
    () => {},
  );
  const outcome = await Promise.race([thread.ended.then(() => 'settled' as const), interrupted]);
  if (outcome === 'ended') thread.abandon();
  await thread.ended;
  return outcome;
}

interface Stages {
  data: DataDirectory;
  crawl: CrawlStage;
  progress: UpProgress;
  serving: Serving;
  line: ProgressLine;
  interrupted: Promise<'ended'>;
}

async function runUntilRemoval(stages: Stages): Promise<'removals' | 'ended'> {
  const { data, crawl, progress, serving, line, interrupted } = stages;
  const { config } = crawl;
  if (!progress.isHalted) crawl.start();
  const startIndex = () =>
    startThread<IndexThreadInput, IndexReport>(
      new URL('../threads/index-thread.ts', import.meta.url),
      { config },
      (report) => progress.indexed(report),
    );
  const index = restartWithSpace(startIndex, spaceFor('index', config));
  const meaning = startMeaning(data, config, serving.meaning, false, (error) =>
    stderrLog(config).error('vectors of new pages not computed', { reason: messageOf(error) }),
  );
  const timer = showProgress(progress, line, serving, meaning);
  const stoppedByCrawl = new Promise<'ended'>((resolve) => {
    progress.onStopped(() => resolve('ended'));
  });
  const removals = watchRemovals(data.root);
  try {
    const failed = index.ended.then(() => 'ended' as const);
    return await Promise.race([interrupted, stoppedByCrawl, crawl.failed, failed, removals.changed]);
  } finally {
    removals.end();
    progress.onStopped(() => {});
    clearInterval(timer);
    line.clear();
    index.abandon();
    await Promise.all([crawl.end(), meaning.end(), index.ended]);
  }
}

/** `changed` resolves when the list of removals has to be settled. `end` stops watching it. */
function watchRemovals(root: Directory): { changed: Promise<'removals'>; end(): void } {
  const removals = new LiveRemovals(root);
  const { promise, resolve } = Promise.withResolvers<'removals'>();
  const timer = setInterval(() => {
    if (!isSettled(removals.list)) resolve('removals');
  }, REMOVALS_MS);
  return { changed: promise, end: () => clearInterval(timer) };
}

/**
 * Shows the progress of `gyre up`. Each announcement is printed once; a revisit that finds only unchanged pages is
 * not announced.
 */
function showProgress(
  progress: UpProgress,
  line: ProgressLine,
  serving: Serving,
  meaning: MeaningStage,
): NodeJS.Timeout {
  let announced = '';
  return setInterval(() => {
    meaning.setBusy(!progress.isComplete);
    if (!progress.isComplete) return line.show(progress.line());
    const announcement = progress.announcement(serving.address);
    if (announced === announcement) return line.clear();
    announced = announcement;
    line.clear();
    serving.refresh();
    print(announcement);
  }, 250);
}
