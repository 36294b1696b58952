/** Makes a crawl fetch the URLs and hosts that people ask for. */
import { type Directory, type Log, messageOf } from '../../base/mod.ts';
import type { Crawler } from '../../crawl/mod.ts';
import { dropRequests, type FetchRequests, isNothing, readRequests } from './fetch-requests.ts';

const POLL_MS = 500;

type Fetching = Pick<Crawler, 'fetchNow' | 'fetchHostsNow' | 'untilCommitted'>;

/**
 * Queues the requests now, and those that are added later twice a second. Returns a function that stops this.
 * Resolves before the first commit, because the crawl has not begun.
 */
export async function followRequests(root: Directory, crawl: Fetching, log: Log): Promise<() => void> {
  let queued: FetchRequests | null = await queue(root, crawl);
  let isBusy = false;
  const follow = async () => {
    if (isBusy) return;
    isBusy = true;
    try {
      if (queued === null && !isNothing(readRequests(root))) {
        // A host that was parked just now would be parked again by the commit that writes this.
        await crawl.untilCommitted();
        queued = await queue(root, crawl);
      }
      if (queued === null) return;
      await crawl.untilCommitted();
      dropRequests(root, queued);
      queued = null;
    } catch (error) {
      log.warn('requested URLs not queued', { reason: messageOf(error) });
    } finally {
      isBusy = false;
    }
  };
  const timer = setInterval(() => void follow(), POLL_MS);
  return () => clearInterval(timer);
}

/** Returns the requests that the crawl has queued; null if there are none. */
async function queue(root: Directory, crawl: Fetching): Promise<FetchRequests | null> {
  const requests = readRequests(root);
  if (isNothing(requests)) return null;
  if (requests.hosts.length > 0) await crawl.fetchHostsNow(requests.hosts);
  if (requests.urls.length > 0) await crawl.fetchNow(requests.urls);
  return requests;
}
