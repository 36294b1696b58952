/** Checks what a person wants the crawl to fetch, and adds it to the requests. */
import { type Directory, UsageError } from '../../base/mod.ts';
import type { CanonicalUrl } from '../../url/mod.ts';
import { readRemovals, removedBy } from '../removals/mod.ts';
import type { Config } from '../settings/mod.ts';
import { reportUrl, rulesOfCrawl } from '../url-decision.ts';
import { addRequests } from './fetch-requests.ts';

/**
 * Adds a URL to the list of requests, and returns its canonical form. Throws a UsageError if the crawl would not fetch
 * it: a URL rule ignores it, or it is removed.
 */
export function requestFetch(root: Directory, given: string, config: Config): CanonicalUrl {
  const { fetched, verb, rule } = reportUrl(given, undefined, 0, rulesOfCrawl(config));
  if (verb === 'ignore')
    throw new UsageError('url-ignored', `${given} is not fetched: the URL rule "${rule}" ignores it`);
  if (removedBy(readRemovals(root)).matches(fetched))
    throw new UsageError('url-removed', `${given} is not fetched: it is removed; allow it first`);
  addRequests(root, { urls: [fetched] });
  return fetched;
}

/** Asks for all known URLs of a host. The crawl skips those that URL rules ignore or that are removed. */
export function requestHost(root: Directory, origin: string): void {
  addRequests(root, { hosts: [origin] });
}
