/** Collects all facts about a URL. Reading needs no lock, so this works while the engine runs. */
import { type Log, silentLog } from '../../base/mod.ts';
import { IndexReader } from '../../index/mod.ts';
import { type CanonicalUrl, fingerprint } from '../../url/mod.ts';
import type { DataDirectory } from '../data-directory.ts';
import { describeTarget, readRemovals, RemovedUrls } from '../removals/mod.ts';
import type { Config } from '../settings/mod.ts';
import { reportUrl, rulesOfCrawl } from '../url-decision.ts';
import { causeOf } from './cause.ts';
import { readCrawlFacts } from './crawl-facts.ts';
import { readIndexFacts } from './index-facts.ts';
import type { Inspection } from './inspection.ts';
import { readLinkFacts } from './link-facts.ts';
import { readQueryFacts } from './query-facts.ts';
import { readVisits } from './visits.ts';

interface InspectOptions {
  config: Config;
  log: Log;
  /** The query to explain; null for none. */
  query: string | null;
  /** The place of the result with which the URL is compared; null for the result directly above the URL. */
  below: number | null;
}

export async function inspectUrl(
  data: DataDirectory,
  given: string,
  { config, log, query, below }: InspectOptions,
): Promise<Inspection> {
  const decision = reportUrl(given, undefined, 0, rulesOfCrawl(config));
  const url = decision.fetched;
  const facts = {
    given,
    url,
    decision,
    removedBy: removalOf(data, url),
    crawl: await readCrawlFacts(data.root, url, config),
    visits: readVisits(data.root, data.archive, url),
    links: await readLinkFacts(data, url, config, log),
    index: readIndexFacts(data, url),
  };
  const cause = causeOf(facts, (other) => isIndexed(data, other as CanonicalUrl));
  const options = { below, isIndexed: facts.index.document !== null, config, log };
  const isAsked = query !== null && data.index.has('manifest.json');
  return {
    ...facts,
    query: isAsked ? await readQueryFacts(data, url, query, options) : null,
    cause,
  };
}

function removalOf({ root }: DataDirectory, url: CanonicalUrl): string | null {
  const rule = readRemovals(root).rules.find((each) => new RemovedUrls([each]).matches(url));
  return rule ? describeTarget(rule) : null;
}

function isIndexed({ index }: DataDirectory, url: CanonicalUrl): boolean {
  const reader = new IndexReader(index, silentLog, { verifiesLater: true });
  try {
    const key = fingerprint(url);
    return reader.segments.some(({ reader: segment, deletes }) => {
      const doc = segment.findDocument(key);
      return doc >= 0 && !deletes.has(doc);
    });
  } finally {
    reader.close();
  }
}
