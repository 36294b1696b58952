/**
 * The crawl thread of `gyre up`. It reports its progress twice a second, and pauses when too many journal files wait
 * to be indexed.
 */
import { watchBacklog } from '../../build/mod.ts';
import type { CrawlSnapshot } from '../../crawl/mod.ts';
import { openManifestStore } from '../../index/mod.ts';
import { openData, readSettings } from '../data-directory.ts';
import { stderrLog } from '../output.ts';
import { openCrawl } from '../sessions/crawl-session.ts';
import type { Config } from '../settings/mod.ts';
import { runThread } from './thread.ts';

const REPORT_MS = 500;
/**
 * Maximum number of journal files that wait to be indexed before the crawl pauses. Each file covers at least three
 * seconds of crawling.
 */
const MAX_BACKLOG = 20;

export interface CrawlThreadInput {
  config: Config;
}

runThread<CrawlThreadInput, CrawlSnapshot>(async ({ config }, report, signal) => {
  const data = openData(config.data);
  const log = stderrLog(config);
  const session = await openCrawl(data, readSettings(data.root), config, { keepRunning: true, log });
  signal.addEventListener('abort', () => session.crawler.stop());
  const backlog = watchBacklog(data.journal, openManifestStore(data.index), log);
  const timer = setInterval(() => {
    report(session.crawler.snapshot());
    session.crawler.holdBack(backlog.count() > MAX_BACKLOG);
  }, REPORT_MS);
  try {
    await session.run();
  } finally {
    clearInterval(timer);
    backlog.stop();
    report(session.crawler.snapshot());
  }
});
