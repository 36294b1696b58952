/** Describes hosts of the crawl for the dashboard. */
import { systemClock } from '../../base/mod.ts';
import {
  delayCauseOf,
  describeWait,
  type HostRow,
  type ListedHost,
  PRODUCT_TOKEN,
  pageBudget,
  parseRobots,
  readTraps,
} from '../../crawl/mod.ts';
import type { CrawledHost } from '../../serve/mod.ts';
import { domainOfOrigin } from '../../url/mod.ts';
import { crawlOptions, politenessOf } from '../sessions/crawl-session.ts';
import type { Config } from '../settings/mod.ts';
import { isBlocked } from './block-rules.ts';
import type { OpenCrawl } from './dashboard-thread.ts';

export async function hostFacts(
  { state }: OpenCrawl,
  hosts: readonly ListedHost[],
  config: Config,
): Promise<CrawledHost[]> {
  const origins = hosts.map(({ host }) => host.origin);
  const notes = new Map((await state.notesOf(origins, 'traps')).map(({ origin, value }) => [origin, value]));
  return Promise.all(
    hosts.map(async (listed) => {
      const { origin } = listed.host;
      const { linkingDomains = 0 } = (await state.domain(domainOfOrigin(origin))) ?? {};
      return factsOf(listed, { traps: notes.get(origin), linkingDomains }, config);
    }),
  );
}

function factsOf(
  { host, counts }: ListedHost,
  { traps, linkingDomains }: { traps: string | undefined; linkingDomains: number },
  config: Config,
): CrawledHost {
  const { origin, delayMs, nextFetchAt, fetched, useful, address, links, robots } = host;
  const { cuts = [], openEnds } = traps === undefined ? {} : readTraps(traps);
  const { budget } = crawlOptions(config, { seeds: [], contact: '' });
  const standing = { importance: 0, linkingDomains, fetched, useful, isOpenEnded: openEnds !== undefined };
  return {
    ...{ origin, delayMs, nextFetchAt, fetched, address, links, ...counts },
    pages: useful,
    delayCause: delayCauseOf(politenessOf(config), origin, crawlDelayOf(host), delayMs),
    wait: describeWait(host, systemClock.now()),
    budget: pageBudget(standing, budget),
    traps: cuts.map(({ trap, count }) => [`${trap.kind}: ${trap.pattern}`, count] as const),
    isBlocked: isBlocked(origin, config.crawl.rules),
    robotsBytes: robots?.kind === 'rules' ? robots.body.length : null,
  };
}

function crawlDelayOf({ robots }: HostRow): number | null {
  return robots?.kind === 'rules' ? parseRobots(robots.body, PRODUCT_TOKEN).crawlDelayMs : null;
}
