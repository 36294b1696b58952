/** The crawl of `gyre up`: reports a snapshot twice a second. */
import type { CrawlSnapshot } from '../../crawl/mod.ts';
import type { Config } from '../config.ts';
import { openCrawl } from '../crawl-session.ts';
import { openData, readSettings } from '../data-directory.ts';
import { stderrLog } from '../output.ts';
import { runThread } from './thread.ts';

const REPORT_MS = 500;

export interface CrawlThreadInput {
  config: Config;
}

await runThread<CrawlThreadInput, CrawlSnapshot>(async ({ config }, report, signal) => {
  const data = openData(config.data);
  const log = stderrLog(config);
  const session = await openCrawl(data, readSettings(data.root), config, { keepRunning: true, log });
  signal.addEventListener('abort', () => session.crawler.stop());
  const timer = setInterval(() => report(session.crawler.snapshot()), REPORT_MS);
  try {
    await session.run();
  } finally {
    clearInterval(timer);
    report(session.crawler.snapshot());
  }
});
