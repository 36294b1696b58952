/** Compares a crawl of the synthetic web with the web's known contents and with its log of requests. */
import type { ArchiveReader } from '../../archive/mod.ts';
import { type CrawlState, documentOf } from '../../crawl/mod.ts';
import type { Searcher } from '../../query/mod.ts';
import {
  type Place,
  politenessViolations,
  robotsViolations,
  type SyntheticWeb,
  type Violation,
} from '../../synthetic-web/mod.ts';
import { canonicalize } from '../../url/mod.ts';

export interface Check {
  name: string;
  passed: boolean;
  detail: string;
}

/** The data of a finished crawl, opened for reading. */
interface Crawled {
  web: SyntheticWeb;
  state: CrawlState;
  archive: ArchiveReader;
  searcher: Searcher;
  delayMs: number;
  /** The number of requests at which the crawl was killed. */
  killedAt: number;
}

const TOLERANCE_MS = 5;
/** The greatest share of the requests that may go to hosts with traps. A crawl of the self-test sends them about 9 %. */
const MAX_WASTED = 0.25;
const MIN_PRECISION = 0.99;
const MIN_RECALL = 0.99;

export async function checksOf(crawled: Crawled): Promise<Check[]> {
  const { web, delayMs } = crawled;
  const limits = { delayMs, toleranceMs: TOLERANCE_MS };
  return [
    violations('politeness', web, politenessViolations(web.log, web.plan, limits)),
    violations('robots.txt', web, robotsViolations(web.log, web.plan)),
    archivedOnce(crawled),
    await duplicates(crawled),
    traps(crawled),
    await searches(crawled),
  ];
}

function violations(name: string, web: SyntheticWeb, found: readonly Violation[]): Check {
  const detail = found.length === 0 ? `kept in ${web.log.length} requests` : found[0]!.message;
  return { name, passed: found.length === 0, detail };
}

/** Checks that the kill lost no page, and that none was archived twice. */
function archivedOnce({ web, archive, killedAt }: Crawled): Check {
  const pages = [...web.plan.plainPages(web.port)];
  const counts = pages.map(({ url }) => archive.find(url).length);
  const lost = counts.filter((count) => count === 0).length;
  const twice = counts.filter((count) => count > 1).length;
  const detail = `killed after ${killedAt} requests: ${lost} of ${pages.length} pages lost, ${twice} archived twice`;
  return { name: 'restart', passed: lost === 0 && twice === 0, detail };
}

/** Checks that copies are one document, and that pages which only resemble each other are two. */
async function duplicates({ web, state }: Crawled): Promise<Check> {
  const { exactDuplicates, nearDuplicates } = web.plan.truth;
  const documentAt = ({ host, path }: Place) => documentOf(state, canonicalize(web.url(host, path))!);
  const countJoined = async (pairs: readonly { original: Place; copy: Place }[]) => {
    let joined = 0;
    for (const { original, copy } of pairs)
      if ((await documentAt(original)) === (await documentAt(copy))) joined++;
    return joined;
  };
  const right = await countJoined(exactDuplicates);
  const wrong = await countJoined(nearDuplicates);
  const precision = right / Math.max(1, right + wrong);
  const recall = right / exactDuplicates.length;
  const detail = `precision ${precision.toFixed(2)}, recall ${recall.toFixed(2)} (${exactDuplicates.length} copies, ${nearDuplicates.length} similar pages)`;
  return { name: 'duplicates', passed: precision >= MIN_PRECISION && recall >= MIN_RECALL, detail };
}

function traps({ web }: Crawled): Check {
  const { calendarTrap, pathTrap, parameterTrap, templateTrap, sessionTrap } = web.plan.truth;
  const hosts = [...calendarTrap, ...pathTrap, ...parameterTrap, ...templateTrap, ...sessionTrap];
  const names = new Set(hosts.map(({ host }) => host));
  const wasted = web.log.entries().filter(({ host }) => names.has(host)).length;
  const share = wasted / web.log.length;
  const detail = `${(100 * share).toFixed(1)} % of the requests went to ${names.size} hosts with traps`;
  return { name: 'traps', passed: share <= MAX_WASTED, detail };
}

async function searches({ web, searcher }: Crawled): Promise<Check> {
  const pages = [...web.plan.plainPages(web.port)];
  let found = 0;
  for (const { uniqueWord, url } of pages) {
    const { results } = await searcher.search({ query: uniqueWord, offset: 0, limit: 1 });
    if (results[0]?.url === url) found++;
  }
  const detail = `${found} of ${pages.length} pages found by a word of their own`;
  return { name: 'search', passed: found === pages.length, detail };
}
