/** gyre crawl SEED… */
import { UsageError } from '../../base/mod.ts';
import type { Command, Invocation } from '../arguments.ts';
import { RateMeter } from '../crawl-rates.ts';
import {
  contactNeeded,
  forgetUnreachable,
  needsContact,
  openCrawl,
  readSeeds,
  withSeeds,
} from '../crawl-session.ts';
import { openData, readSettings, writeSettings } from '../data-directory.ts';
import { lockCrawl } from '../locks.ts';
import { crawlLine, ProgressLine, print, printJson, stderrLog } from '../output.ts';
import { onInterrupt } from '../signals.ts';

export const crawlCommand: Command = {
  name: 'crawl',
  positionals: '[SEED…]',
  summary:
    'Crawls from the seeds until nothing is left; without seeds it goes on where it stopped, with --revisit on it also fetches again what is due',
  settings: ['contact', 'delay', 'scope', 'max-pages', 'revisit', 'extractors'],
  flags: [{ name: 'json', kind: 'boolean', help: 'print the result as one JSON object' }],
  run: crawl,
};

async function crawl({ config, flags, positionals }: Invocation): Promise<void> {
  const seeds = readSeeds(positionals);
  const data = openData(config.data);
  const lock = lockCrawl(data.root);
  const before = readSettings(data.root);
  const settings = withSeeds(before, seeds, config.contact);
  if (settings.seeds.length === 0) {
    throw new UsageError(
      'no-seeds',
      'nothing to crawl yet: name a seed, as in gyre crawl https://example.org',
    );
  }
  if (needsContact(settings, config)) throw contactNeeded();
  writeSettings(data.root, settings);
  const session = await openCrawl(data, settings, config, { keepRunning: false, log: stderrLog(config) });
  const off = onInterrupt(() => session.crawler.stop());
  const progress = new ProgressLine();
  const meter = new RateMeter(Date.now());
  const timer = setInterval(() => {
    const snapshot = session.crawler.snapshot();
    progress.show(crawlLine(snapshot, meter.measure(snapshot, Date.now())));
  }, 250);
  try {
    await session.run();
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
  else print(crawlLine(snapshot, meter.average(snapshot, Date.now())));
}
