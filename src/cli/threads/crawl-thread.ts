/** The crawl of `gyre up`: reports a snapshot twice a second, and waits for an index that is too far behind. */
import { journalBacklog } from '../../build/mod.ts';
import type { CrawlSnapshot } from '../../crawl/mod.ts';
import type { Config } from '../config.ts';
import { openCrawl } from '../crawl-session.ts';
import { openData, readSettings } from '../data-directory.ts';
import { stderrLog } from '../output.ts';
import { runThread } from './thread.ts';

const REPORT_MS = 500;
/** Journal files that may wait for the index, each of three seconds of crawling or more. */
const MAX_BACKLOG = 20;

export interface CrawlThreadInput {
  config: Config;
}

await runThread<CrawlThreadInput, CrawlSnapshot>(async ({ config }, report, signal) => {
  const data = openData(config.data);
  const log = stderrLog(config);
  const session = await openCrawl(data, readSettings(data.root), config, { keepRunning: true, log });
  signal.addEventListener('abort', () => session.crawler.stop());
  const timer = setInterval(() => {
    report(session.crawler.snapshot());
    session.crawler.holdBack(journalBacklog(data.journal, data.index) > MAX_BACKLOG);
  }, REPORT_MS);
  try {
    await session.run();
  } finally {
    clearInterval(timer);
    report(session.crawler.snapshot());
  }
});
