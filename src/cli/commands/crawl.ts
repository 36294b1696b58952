/** The command `gyre crawl SEED…`, which crawls sites. */
import { directoryAt, UsageError } from '../../base/mod.ts';
import { commandFor } from '../advice.ts';
import type { Command, Invocation } from '../arguments.ts';
import { type DataSettings, openData, readSettings, writeSettings } from '../data-directory.ts';
import { onInterrupt, STOPPING, stopped } from '../interrupts.ts';
import { lockCrawl } from '../locks.ts';
import { crawlLine, ProgressLine, print, printJson, stderrLog, tell } from '../output.ts';
import { settleBesideIndex } from '../purging/mod.ts';
import { gatherSeeds, SEED_FLAGS, withSeeds } from '../seeds/mod.ts';
import { RateMeter } from '../sessions/crawl-rates.ts';
import { checkContact, checkCrawl, forgetUnreachable, openCrawl } from '../sessions/crawl-session.ts';
import type { Config } from '../settings/mod.ts';

export const crawlCommand: Command = {
  name: 'crawl',
  positionals: '[SEED…]',
  summary:
    'Crawls from the seeds until no URL is left; without seeds it continues the last crawl. With --revisit on, it also fetches pages again that are due',
  examples: [
    'gyre crawl https://example.org --contact mailto:you@example.org',
    'gyre crawl --revisit on --max-pages 5000',
    'gyre crawl --topic sailing',
  ],
  settings: ['contact', 'delay', 'scope', 'max-pages', 'topic', 'revisit', 'extractors', 'record-rules'],
  flags: [...SEED_FLAGS, { name: 'json', kind: 'boolean', help: 'print the result as one JSON object' }],
  leastMemory: '384Mi',
  run: crawl,
};

async function crawl({ config, flags, positionals }: Invocation): Promise<void> {
  const seeds = gatherSeeds({ positionals, flags });
  checkSettings(withSeeds(readSettings(directoryAt(config.data)), seeds, config.contact), config);
  const data = openData(config.data);
  const lock = lockCrawl(data.root);
  const before = readSettings(data.root);
  const settings = withSeeds(before, seeds, config.contact);
  writeSettings(data.root, settings);
  const log = stderrLog(config);
  await settleBesideIndex(data, { config, log });
  const session = await openCrawl(data, settings, config, { keepRunning: false, log });
  const off = onInterrupt(() => {
    tell(STOPPING);
    session.crawler.stop();
  });
  const progress = new ProgressLine();
  const meter = new RateMeter(Date.now());
  const timer = setInterval(() => {
    const snapshot = session.crawler.snapshot();
    progress.show(crawlLine(snapshot, meter.measure(snapshot, Date.now()), config.data));
  }, 250);
  try {
    await session.run();
    // Removals that came during the crawl are settled now; the crawl requested none of these URLs.
    await settleBesideIndex(data, { config, log });
  } catch (error) {
    forgetUnreachable(error, data, before);
    throw error;
  } finally {
    clearInterval(timer);
    progress.clear();
    off();
    lock.release();
  }
  const snapshot = session.crawler.snapshot();
  if (flags.json) printJson(snapshot);
  else print(crawlLine(snapshot, meter.average(snapshot, Date.now()), config.data));
  if (snapshot.state === 'stopped') tell(stopped(commandFor('crawl', config.data)));
}

/** Checks the settings of a crawl before its data directory is created. */
function checkSettings(settings: DataSettings, config: Config): void {
  if (settings.seeds.length === 0) {
    throw new UsageError('no-seeds', 'missing seed: gyre crawl https://example.org');
  }
  checkContact(settings, config);
  checkCrawl(config, settings);
}
