/** Takes a batch of URLs from another program into the crawl, and says for each of them what happens. */
import { type Directory, GyreError } from '../../base/mod.ts';
import { hasCrawlState, openCrawlState } from '../../crawl/mod.ts';
import type { TakenUrl } from '../../serve/mod.ts';
import { type CanonicalUrl, canonicalize, fingerprint, type UrlRules } from '../../url/mod.ts';
import { type RemovedUrls, readRemovals, removedBy } from '../removals/mod.ts';
import type { Config } from '../settings/mod.ts';
import { rulesOfCrawl } from '../url-decision.ts';
import { addRequests, readRequests } from './fetch-requests.ts';

const MAX_SHOWN = 200;

/**
 * Adds the URLs that the crawl does not know yet. Known URLs are left as they are: the crawl visits them by its
 * schedule. The results are in the order of `given`.
 */
export async function takeUrls(
  root: Directory,
  given: readonly string[],
  config: Config,
): Promise<TakenUrl[]> {
  const rules = rulesOfCrawl(config);
  const removed = removedBy(readRemovals(root));
  const judged = given.map((url) => judge(url, rules, removed));
  const known = await knownUrls(
    root,
    judged.flatMap(({ fetched }) => fetched ?? []),
  );
  const added = new Set<CanonicalUrl>();
  const taken = judged.map((each): TakenUrl => {
    if (each.fetched === null) return each.refusal;
    const { fetched } = each;
    if (known.has(fetched)) return { url: fetched, status: 'known' };
    // A URL that the batch has twice is known the second time.
    known.add(fetched);
    added.add(fetched);
    return { url: fetched, status: 'accepted' };
  });
  const problem = add(root, [...added]);
  return problem ? taken.map((each) => (each.status === 'accepted' ? { ...each, ...problem } : each)) : taken;
}

type Judged = { fetched: CanonicalUrl } | { fetched: null; refusal: TakenUrl };

function judge(given: string, rules: UrlRules, removed: RemovedUrls): Judged {
  const refused = (code: string, reason: string, url = given.slice(0, MAX_SHOWN)): Judged => ({
    fetched: null,
    refusal: { url, status: 'refused', code, reason },
  });
  const canonical = canonicalize(given.trim());
  if (canonical === null) return refused('bad-url', 'not a web address such as https://example.org/page');
  const { verb, rule, url } = rules.decide(canonical, 0);
  if (verb === 'ignore') return refused('url-ignored', `the URL rule "${rule}" ignores it`, url);
  if (removed.matches(url)) return refused('url-removed', 'it is removed; allow it first', url);
  return { fetched: url };
}

/** Returns those of the URLs that the crawl knows, or that wait to be queued. */
async function knownUrls(root: Directory, urls: readonly CanonicalUrl[]): Promise<Set<CanonicalUrl>> {
  const waiting = new Set(readRequests(root).urls);
  const known = new Set(urls.filter((url) => waiting.has(url)));
  if (!hasCrawlState(root)) return known;
  const state = openCrawlState(root, { readOnly: true });
  try {
    const outcomes = await state.outcomesOf(urls.map((url) => fingerprint(url)));
    for (const url of urls) if (outcomes.has(fingerprint(url))) known.add(url);
    return known;
  } finally {
    state.close();
  }
}

/** Returns why the URLs were not added, if the list of requests is full. */
function add(root: Directory, urls: readonly CanonicalUrl[]): Omit<TakenUrl, 'url'> | null {
  try {
    if (urls.length > 0) addRequests(root, { urls });
    return null;
  } catch (error) {
    if (!(error instanceof GyreError) || error.code !== 'list-full') throw error;
    return { status: 'refused', code: error.code, reason: error.message };
  }
}
