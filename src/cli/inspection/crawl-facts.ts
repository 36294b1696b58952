/** Reads what the crawl knows about a URL: its outcome, its document, its host and the verdict of robots.txt. */
import { type Directory, systemClock } from '../../base/mod.ts';
import {
  type CrawlState,
  createRobotsOverrides,
  describeWait,
  documentOf,
  type HostRow,
  hasCrawlState,
  type IdentityVerdict,
  openCrawlState,
  otherNames,
  PRODUCT_TOKEN,
} from '../../crawl/mod.ts';
import { type CanonicalUrl, fingerprint, originOf } from '../../url/mod.ts';
import { reportRobots } from '../robots-report.ts';
import type { Config } from '../settings/mod.ts';
import type { CrawlFacts, HostFacts, RobotsFacts } from './inspection.ts';

/** Maximum number of steps from an alias to its document. */
const MAX_STEPS = 20;

export async function readCrawlFacts(
  root: Directory,
  url: CanonicalUrl,
  config: Config,
): Promise<CrawlFacts | null> {
  if (!hasCrawlState(root)) return null;
  const state = openCrawlState(root, { readOnly: true });
  try {
    return await crawlFactsIn(state, url, config);
  } finally {
    state.close();
  }
}

export async function crawlFactsIn(
  state: CrawlState,
  url: CanonicalUrl,
  config: Config,
): Promise<CrawlFacts> {
  const key = fingerprint(url);
  const document = await documentOf(state, url);
  const host = await state.host(originOf(url));
  return {
    outcome: (await state.outcomesOf([key])).get(key) ?? null,
    last: await state.lastCapture(key),
    chain: await chainOf(state, url),
    aliases: (await otherNames(state, document)).filter((name) => name.url !== url),
    host: host && hostFacts(host),
    robots: robotsFacts(url, host, config),
  };
}

function hostFacts(host: HostRow): HostFacts {
  const { origin, delayMs, fetched, useful } = host;
  return { origin, state: describeWait(host, systemClock.now()), delayMs, fetched, useful };
}

async function chainOf(state: CrawlState, url: CanonicalUrl): Promise<IdentityVerdict[]> {
  const chain: IdentityVerdict[] = [];
  for (let at = url; chain.length < MAX_STEPS; ) {
    const verdict = await state.verdictOf(at);
    if (!verdict || chain.some((step) => step.url === verdict.url)) break;
    chain.push(verdict);
    if (!verdict.of) break;
    at = verdict.of;
  }
  return chain;
}

function robotsFacts(url: CanonicalUrl, host: HostRow | null, { crawl }: Config): RobotsFacts {
  if (createRobotsOverrides(crawl.robotsOverrides).includes(originOf(url))) return { kind: 'overridden' };
  const robots = host?.robots;
  if (!robots) return { kind: 'unknown' };
  if (robots.kind === 'allow-all') return { kind: 'none' };
  const [report] = reportRobots(robots.body, PRODUCT_TOKEN, [url]);
  return { kind: 'verdict', report: report!, expiresAt: robots.expiresAt };
}
