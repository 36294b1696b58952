/** Collects all facts about a URL. Reading needs no lock, so this works while the engine runs. */
import type { Log } from '../../base/mod.ts';
import type { CanonicalUrl } from '../../url/mod.ts';
import type { DataDirectory } from '../data-directory.ts';
import { describeTarget, RemovedUrls, readRemovals } from '../removals/mod.ts';
import { openLocalSearching } from '../sessions/local-searching.ts';
import type { Config } from '../settings/mod.ts';
import { reportUrl, rulesOfCrawl } from '../url-decision.ts';
import { causeOf } from './cause.ts';
import { readCrawlFacts } from './crawl-facts.ts';
import { readIndexFacts } from './index-facts.ts';
import type { Inspection, InspectionSources } from './inspection.ts';
import { readLinkFacts } from './link-facts.ts';
import { readQueryFacts } from './query-facts.ts';
import { readVisits } from './visits.ts';

const MAX_NEAR = 10;

interface InspectOptions {
  /** The query to explain; null for none. */
  query: string | null;
  /** The place of the result with which the URL is compared; null for the result directly above the URL. */
  below: number | null;
}

export async function inspectUrl(
  sources: InspectionSources,
  given: string,
  { query, below }: InspectOptions,
): Promise<Inspection> {
  const { config } = sources;
  const decision = reportUrl(given, undefined, 0, rulesOfCrawl(config));
  const url = decision.fetched;
  const index = await sources.index(url);
  const facts = {
    given,
    url,
    decision,
    removedBy: await removalOf(sources, url),
    crawl: await sources.crawl(url),
    visits: await sources.visits(url),
    links: await sources.links(url),
    index: { ...index, nearDuplicates: index.nearDuplicates.slice(0, MAX_NEAR) },
  };
  const document = facts.crawl?.chain.at(-1)?.of ?? null;
  const isFound = document !== null && (await sources.index(document)).document !== null;
  const options = { below, isIndexed: index.document !== null, siteRules: config.serve.siteRules };
  return {
    ...facts,
    query:
      query === null
        ? null
        : await sources.search((searcher) => readQueryFacts(searcher, url, query, options)),
    cause: causeOf(facts, isFound),
  };
}

async function removalOf(sources: InspectionSources, url: CanonicalUrl): Promise<string | null> {
  const rule = (await sources.removals()).find((each) => new RemovedUrls([each]).matches(url));
  return rule ? describeTarget(rule) : null;
}

/** Returns the facts of a data directory. */
export function sourcesIn(data: DataDirectory, config: Config, log: Log): InspectionSources {
  const { root, archive } = data;
  return {
    config,
    removals: async () => readRemovals(root).rules,
    crawl: (url) => readCrawlFacts(root, url, config),
    visits: async (url) => readVisits(root, archive, url),
    links: (url) => readLinkFacts(data, url, config, log),
    index: async (url) => readIndexFacts(data, url),
    search: async (use) => {
      if (!data.index.has('manifest.json')) return null;
      const cacheBytes = config.serve.postingsCacheBytes;
      const searcher = openLocalSearching(data, config, log, { cacheBytes, answerBytes: 0 });
      try {
        return await use(searcher);
      } finally {
        searcher.close();
      }
    },
  };
}
