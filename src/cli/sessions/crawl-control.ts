/**
 * Control of a crawl through the HTTP API. Pause, resume and stop write control.json in the data directory, as the
 * commands `gyre pause`, `gyre resume` and `gyre stop` do, so the crawl may run in any process. Only `gyre up` can
 * also start a crawl: it runs the crawl in a thread, and continues to serve after the crawl is stopped.
 */
import type { Directory } from '../../base/mod.ts';
import type { CrawlControl } from '../../serve/mod.ts';
import { isCrawling } from '../locks.ts';
import { writeCrawlCommand } from './control.ts';

/** Controls a crawl for `gyre serve`, through control.json. Another process may be crawling the same data. */
export function controlByFile(root: Directory): CrawlControl {
  return {
    act(action) {
      if (action === 'start')
        return 'This server has no crawl of its own: start one with gyre crawl or gyre up.';
      if (action === 'stop' && !isCrawling(root)) return 'No crawl is running.';
      writeCrawlCommand(root, action === 'resume' ? 'run' : action);
      return null;
    },
  };
}

/** The crawl thread of `gyre up`, as far as the HTTP API controls it. */
export interface LocalCrawl {
  readonly isRunning: boolean;
  /** True while the stopped thread finishes its requests and commits. A start in this time takes effect afterwards. */
  readonly isStopping: boolean;
  start(): void;
  stop(): void;
}

/** Controls the crawl thread of `gyre up`. `crawl` returns null until the crawl has begun. */
export function controlOwn(root: Directory, crawl: () => LocalCrawl | null): CrawlControl {
  return {
    act(action) {
      const own = crawl();
      if (!own) return 'The crawl has not begun yet; try again in a moment.';
      if (action === 'start' && own.isRunning && !own.isStopping)
        return 'The crawl is running already; resume ends a pause.';
      if (action === 'stop' && !own.isRunning) return 'The crawl is not running.';
      if (action === 'pause' || action === 'resume')
        writeCrawlCommand(root, action === 'pause' ? 'pause' : 'run');
      else if (action === 'start') own.start();
      else own.stop();
      return null;
    },
  };
}
