/** The thread of the dashboard: reads the crawl state, which may take long, and tries URL rules on all known URLs. */
import { directoryAt, serveChannel, systemClock } from '../../base/mod.ts';
import { type CrawlState, HostList, hasCrawlState, openCrawlState } from '../../crawl/mod.ts';
import type { CrawledHost, HostListing, HostSearch, RuleTest, StoredFacts } from '../../serve/mod.ts';
import type { Config } from '../settings/mod.ts';
import { readFrontier } from './frontier-facts.ts';
import { hostFacts } from './host-facts.ts';
import { compareRules } from './rule-test.ts';

export type DashboardRequest = { config: Config } & (
  | { kind: 'frontier' }
  | { kind: 'hosts'; search: HostSearch }
  | { kind: 'host'; origin: string }
  | { kind: 'rules'; then: Config }
);
export type DashboardReply = FrontierReply | HostListing | CrawledHost | RuleTest | null;

export interface FrontierReply {
  frontier: StoredFacts['frontier'];
  tookMs: number;
}

/** The crawl state, open for reading while the thread lasts. */
export interface OpenCrawl {
  state: CrawlState;
  hosts: HostList;
}

let opened: OpenCrawl | null = null;

serveChannel<DashboardRequest, DashboardReply>({
  handle: async (request) => {
    const crawl = open(request.config.data);
    switch (request.kind) {
      case 'frontier':
        return timedFrontier(crawl);
      case 'hosts': {
        if (!crawl) return { total: 0, hosts: [] };
        const { total, hosts } = crawl.hosts.list(request.search);
        return { total, hosts: await hostFacts(crawl, hosts, request.config) };
      }
      case 'host': {
        const host = crawl?.hosts.find(request.origin);
        return crawl && host ? (await hostFacts(crawl, [host], request.config))[0]! : null;
      }
      case 'rules':
        return compareRules(crawl?.hosts.urls() ?? [], request.config, request.then);
    }
  },
});

function open(path: string): OpenCrawl | null {
  const root = directoryAt(path);
  if (opened || !hasCrawlState(root)) return opened;
  opened = { state: openCrawlState(root, { readOnly: true }), hosts: new HostList(root, systemClock) };
  return opened;
}

async function timedFrontier(crawl: OpenCrawl | null): Promise<FrontierReply> {
  const startedAt = performance.now();
  const frontier = crawl && (await readFrontier(crawl));
  return { frontier, tookMs: performance.now() - startedAt };
}
