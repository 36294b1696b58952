/** Work for the proven owner of a site: submitting URLs, reading the coverage, and removing pages. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock, UsageError } from '../../base/mod.ts';
import { hasCrawlState, openCrawlState } from '../../crawl/mod.ts';
import type { SiteCoverage, Submission } from '../../serve/mod.ts';
import { originOf } from '../../url/mod.ts';
import { appendAudit } from '../access/mod.ts';
import type { DataDirectory } from '../data-directory.ts';
import { documentsOf } from '../purging/mod.ts';
import { RemovedUrls } from '../removals/mod.ts';
import { readRequests, requestFetch } from '../requests/mod.ts';
import type { Config } from '../settings/mod.ts';

const MAX_QUEUED = 10_000;
const MAX_ERRORS = 50;

/** Adds URLs to the requests of the crawl. Each gets a sentence about its place in the queue. */
export async function submitUrls(
  data: DataDirectory,
  config: Config,
  urls: readonly string[],
  who: string,
): Promise<Submission[]> {
  const submissions: Submission[] = [];
  for (const url of urls) {
    try {
      const wanted = requestFetch(data.root, url, config);
      const place = readRequests(data.root).urls.indexOf(wanted) + 1;
      const before = await queuedOf(data, originOf(wanted));
      const ofHost = before === 0 ? 'no URL of its host is queued' : `${before} URLs of its host are queued`;
      const note = `accepted as number ${place} of the requested URLs; ${ofHost}`;
      submissions.push({ url, isAccepted: true, note });
      appendAudit(data.root, { who, action: 'submit', target: wanted }, systemClock.now());
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      submissions.push({ url, isAccepted: false, note: `not accepted: ${error.message}` });
    }
  }
  return submissions;
}

export async function coverageOf(data: DataDirectory, host: string): Promise<SiteCoverage> {
  const ofHost = new RemovedUrls([{ kind: 'host', value: host }]);
  const origins = [`https://${host}`, `http://${host}`];
  const queued = await Promise.all(origins.map((origin) => queuedOf(data, origin)));
  return {
    documents: documentsOf(data.index, ofHost).length,
    queued: queued.reduce((sum, count) => sum + count, 0),
    fetched: await fetchedOf(data, origins),
    errors: errorsOf(data, origins),
  };
}

async function queuedOf({ root }: DataDirectory, origin: string): Promise<number> {
  if (!hasCrawlState(root)) return 0;
  const state = openCrawlState(root, { readOnly: true });
  try {
    return (await state.readyUrls(origin, MAX_QUEUED)).length;
  } finally {
    state.close();
  }
}

async function fetchedOf({ root }: DataDirectory, origins: readonly string[]): Promise<number> {
  if (!hasCrawlState(root)) return 0;
  const state = openCrawlState(root, { readOnly: true });
  try {
    const hosts = await Promise.all(origins.map((origin) => state.host(origin)));
    return hosts.reduce((sum, host) => sum + (host?.fetched ?? 0), 0);
  } finally {
    state.close();
  }
}

/** Returns the last failed and refused URLs of the host, the newest first, from the crawl log. */
function errorsOf({ root }: DataDirectory, origins: readonly string[]): SiteCoverage['errors'] {
  if (!root.has('crawl.log')) return [];
  const starts = origins.map((origin) => `"url":"${origin}/`);
  return readFileSync(join(root.path, 'crawl.log'), 'utf8')
    .split('\n')
    .filter((line) => starts.some((start) => line.includes(start)))
    .flatMap((line) => {
      try {
        const { time, url, state, reason } = JSON.parse(line);
        return state === 'failed' || state === 'refused' ? [{ time, url, reason }] : [];
      } catch {
        return [];
      }
    })
    .slice(-MAX_ERRORS)
    .reverse();
}
