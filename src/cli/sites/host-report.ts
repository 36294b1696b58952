/**
 * Reports the requests of the crawler to a host, its delay and the decision of robots.txt, for the public page `/bot`. The
 * report has only facts that every visitor of the host can find out.
 */
import { directoryAt, systemClock } from '../../base/mod.ts';
import {
  createRobotsOverrides,
  describeWait,
  type HostRow,
  hasCrawlState,
  openCrawlState,
  PRODUCT_TOKEN,
  readPoliteness,
} from '../../crawl/mod.ts';
import type { CrawlerFacts, HostReport } from '../../serve/mod.ts';
import { parseHostAccess } from '../../url/mod.ts';
import { type DataDirectory, readSettings } from '../data-directory.ts';
import { documentsOf } from '../purging/mod.ts';
import { RemovedUrls, readRemovals, removedBy } from '../removals/mod.ts';
import { describeRobotsRule, reportRobots } from '../robots-report.ts';
import { crawlOptions } from '../sessions/crawl-session.ts';
import type { Config } from '../settings/mod.ts';

/** Number of days of the ledger that a look-up reads. */
const DAYS = 7;

export function crawlerFacts(config: Config, contact: string): CrawlerFacts {
  const settings = { ...readSettings(directoryAt(config.data)), contact };
  const { delayMs, delayFactor, hostCredentials, robotsOverrides } = config.crawl;
  return {
    userAgent: crawlOptions(config, settings).userAgent,
    delayMs,
    delayFactor,
    credentialHosts: Object.keys(hostCredentials).length,
    overriddenHosts: robotsOverrides.length,
  };
}

export async function lookUpHost(data: DataDirectory, config: Config, host: string): Promise<HostReport> {
  const row = await hostOf(data, host);
  const origin = row?.origin ?? `https://${host}`;
  const ofHost = new RemovedUrls([{ kind: 'host', value: host }]);
  const days = readPoliteness(data.root, { isWanted: (each) => each === origin, days: DAYS });
  const access = parseHostAccess(config.crawl.hostCredentials);
  return {
    host,
    isKnown: row !== null,
    isRemoved: removedBy(readRemovals(data.root)).coversHost(origin),
    robots: row ? robotsOf(row) : 'not fetched',
    isOverridden: createRobotsOverrides(config.crawl.robotsOverrides).includes(origin),
    sendsCredentials: Object.keys(access.headersFor(origin)).length > 0,
    delay: row ? delayOf(row, days[0]?.rows[0]?.last?.[0]) : '',
    documents: documentsOf(data.index, ofHost).length,
    lastDay: days.find(({ rows }) => rows[0]!.requests > 0)?.day ?? '',
  };
}

async function hostOf({ root }: DataDirectory, host: string): Promise<HostRow | null> {
  if (!hasCrawlState(root)) return null;
  const state = openCrawlState(root, { readOnly: true });
  try {
    return (await state.host(`https://${host}`)) ?? (await state.host(`http://${host}`));
  } finally {
    state.close();
  }
}

function robotsOf({ robots, origin }: HostRow): string {
  if (!robots) return 'not fetched yet';
  if (robots.kind === 'allow-all') return 'the host has none: everything is allowed';
  const [report] = reportRobots(robots.body, PRODUCT_TOKEN, [`${origin}/`]);
  return `${report!.verdict} for the start page (${describeRobotsRule(report!)})`;
}

/** The causes of delays that need more words than their codes. */
const CAUSES: Readonly<Record<string, string>> = {
  setting: 'the setting for all hosts',
  'host-setting': 'a setting for this host',
  robots: 'the Crawl-delay of its robots.txt',
  slow: 'a slow response',
  failed: 'a failed request',
};

function delayOf(row: HostRow, cause: string | undefined): string {
  const seconds = `${Math.round(row.delayMs) / 1000} s`;
  const why = cause === undefined ? '' : ` (${CAUSES[cause] ?? cause.replaceAll('-', ' ')})`;
  return `${seconds}${why}; now: ${describeWait(row, systemClock.now())}`;
}
