/** Makes a crawl fetch the URLs that people ask for. */
import { type Directory, type Log, messageOf } from '../../base/mod.ts';
import type { Crawler } from '../../crawl/mod.ts';
import { dropRequests, readRequests } from './requested-urls.ts';

const POLL_MS = 500;

type Fetching = Pick<Crawler, 'fetchNow' | 'untilCommitted'>;

/**
 * Queues the URLs in the list now, and those that are added later twice a second. Returns a function that stops this.
 * Resolves before the first commit, because the crawl has not begun.
 */
export async function followRequests(root: Directory, crawl: Fetching, log: Log): Promise<() => void> {
  let last = await queue(root, crawl);
  let isBusy = false;
  const follow = async () => {
    if (isBusy) return;
    isBusy = true;
    try {
      if (last.length === 0) last = await queue(root, crawl);
      if (last.length === 0) return;
      await crawl.untilCommitted();
      dropRequests(root, last);
      last = [];
    } catch (error) {
      log.warn('requested URLs not queued', { reason: messageOf(error) });
    } finally {
      isBusy = false;
    }
  };
  const timer = setInterval(() => void follow(), POLL_MS);
  return () => clearInterval(timer);
}

async function queue(root: Directory, crawl: Fetching): Promise<ReturnType<typeof readRequests>> {
  const urls = readRequests(root);
  if (urls.length > 0) await crawl.fetchNow(urls);
  return urls;
}
