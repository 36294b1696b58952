/**
 * What the HTTP interface can do with a crawl. Pause, resume and stop take the way that `gyre pause` and its
 * like take, the file in the data directory, so it does not matter which process the crawl is in. Only
 * `gyre up` can also start one: it has the crawl in a thread of its own, and goes on serving when that is
 * stopped.
 */
import type { Directory } from '../base/mod.ts';
import type { CrawlControl } from '../serve/mod.ts';
import { writeWish } from './control.ts';
import { isCrawling } from './locks.ts';

/** For `gyre serve`, whose data somebody else may be crawling. */
export function controlByFile(root: Directory): CrawlControl {
  return {
    act(action) {
      if (action === 'start')
        return 'This server has no crawl of its own: start one with gyre crawl or gyre up.';
      if (action === 'stop' && !isCrawling(root)) return 'No crawl is running.';
      writeWish(root, action === 'resume' ? 'run' : action);
      return null;
    },
  };
}

/** The crawl of `gyre up`. */
export interface OwnCrawl {
  readonly isRunning: boolean;
  start(): void;
  stop(): void;
}

/** For `gyre up`; `crawl` gives null as long as it has not begun. */
export function controlOwn(root: Directory, crawl: () => OwnCrawl | null): CrawlControl {
  return {
    act(action) {
      const own = crawl();
      if (!own) return 'The crawl has not begun yet; try again in a moment.';
      if (action === 'start' && own.isRunning) return 'The crawl is running already; resume ends a pause.';
      if (action === 'stop' && !own.isRunning) return 'The crawl is not running.';
      if (action === 'pause' || action === 'resume') writeWish(root, action === 'pause' ? 'pause' : 'run');
      else if (action === 'start') own.start();
      else own.stop();
      return null;
    },
  };
}
