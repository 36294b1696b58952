/** Checks a URL that a person wants the crawl to fetch, and adds it to the list. */
import { type Directory, UsageError } from '../../base/mod.ts';
import type { CanonicalUrl } from '../../url/mod.ts';
import { readRemovals, removedBy } from '../removals/mod.ts';
import type { Config } from '../settings/mod.ts';
import { reportUrl, rulesOfCrawl } from '../url-decision.ts';
import { addRequests } from './requested-urls.ts';

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
  addRequests(root, [fetched]);
  return fetched;
}
