/**
 * A feature with robots.txt files of all kinds, one host for each. `/` links to every page of the host, so a
 * crawler finds the disallowed pages and must not fetch them. The expected verdicts were written by hand from
 * RFC 9309, case by case, without a parser.
 */
import { anchorsTo, type FeatureContext, type FeaturePart, featurePageOf, range } from '../feature.ts';
import {
  failureResponse,
  htmlResponse,
  plannedSiteOf,
  type Responder,
  redirect,
  type Site,
  type Verdict,
  type WebResponse,
} from '../site.ts';
import { type RobotsCase, robotsCases } from './robots-cases.ts';

const SHARED_FILE = '/shared/robots.txt';

export interface RobotsTruth {
  host: string;
  kind: string;
  /** `closed` means that robots.txt cannot be read, so no page may be requested. */
  state: 'readable' | 'closed';
  /** The Crawl-delay in milliseconds; 0 if robots.txt has none. */
  crawlDelayMs: number;
  allowed: string[];
  disallowed: string[];
  /** The paths for which the standard allows either verdict. */
  either: string[];
}

/** Plans `count` hosts for every robots.txt of the table. */
export function planRobots(context: FeatureContext, count: number): FeaturePart<RobotsTruth> {
  const part: FeaturePart<RobotsTruth> = { sites: [], entries: [], truth: [] };
  for (const number of range(count)) {
    const elsewhere = elsewhereSite(context, number);
    part.sites.push(elsewhere);
    for (const robotsCase of casesFor(context)) {
      const host = `robots-${robotsCase.kind}-${number}.test`;
      part.sites.push(robotsSite(context, host, robotsCase, elsewhere.host));
      part.entries.push({ host, path: '/' });
      part.truth.push(truthOf(host, robotsCase));
    }
  }
  return part;
}

function truthOf(host: string, { kind, verdicts, closed, crawlDelayMs }: RobotsCase): RobotsTruth {
  const having = (wanted: Verdict) =>
    Object.entries(verdicts)
      .filter(([, verdict]) => verdict === wanted)
      .map(([path]) => path);
  return {
    host,
    kind,
    state: closed ? 'closed' : 'readable',
    crawlDelayMs: crawlDelayMs ?? 0,
    allowed: having('allowed'),
    disallowed: having('disallowed'),
    either: having('either'),
  };
}

function robotsSite(context: FeatureContext, host: string, robotsCase: RobotsCase, elsewhere: string): Site {
  const paths = Object.keys(robotsCase.verdicts);
  const pages: Record<string, Responder> = {};
  for (const path of paths) {
    const document = context.document();
    const anchors = path === '/' ? anchorsTo(paths.filter((other) => other !== '/')) : [];
    pages[path] = () => htmlResponse(featurePageOf(context, document, { anchors }));
  }
  const files = robotsFiles(robotsCase, elsewhere);
  return plannedSiteOf(
    host,
    { ...pages, ...files },
    {
      verdict: (path) => robotsCase.verdicts[path] ?? 'either',
      crawlDelayMs: robotsCase.crawlDelayMs ?? 0,
      closed: robotsCase.closed ?? false,
      filePaths: new Set(Object.keys(files)),
    },
  );
}

/** Returns the responses for `/robots.txt` and, if it redirects, for the URLs in between. */
function robotsFiles({ file, via }: RobotsCase, elsewhere: string): Record<string, Responder> {
  const answer: Responder = () => fileAnswer(file);
  if (!via) return { '/robots.txt': answer };
  if (via === 'other-host') {
    return { '/robots.txt': (visit) => redirect(302, visit.url(elsewhere, SHARED_FILE)) };
  }
  const hops = range(via).map((hop) => (hop === 0 ? '/robots.txt' : `/robots-hop-${hop}.txt`));
  const last = '/policy/robots.txt';
  const steps = hops.map((path, hop): [string, Responder] => [
    path,
    () => redirect(301, hops[hop + 1] ?? last),
  ]);
  return { ...Object.fromEntries(steps), [last]: answer };
}

/**
 * Makes the other host to which `/robots.txt` redirects in the case `redirect-other-host`. The robots.txt of
 * this host allows everything.
 */
function elsewhereSite(context: FeatureContext, number: number): Site {
  const document = context.document();
  const shared = casesFor(context).find(({ via }) => via === 'other-host')!;
  return plannedSiteOf(
    `robots-elsewhere-${number}.test`,
    {
      '/': () => htmlResponse(featurePageOf(context, document)),
      [SHARED_FILE]: () => fileAnswer(shared.file),
    },
    { verdict: () => 'allowed', crawlDelayMs: 0, closed: false, filePaths: new Set([SHARED_FILE]) },
  );
}

function casesFor({ agent, tuning }: FeatureContext): RobotsCase[] {
  return robotsCases(agent, tuning.crawlDelayMs);
}

function fileAnswer(file: RobotsCase['file']): WebResponse {
  if (file.status === 0) return { status: 0, ending: 'cut' };
  if (file.status !== 200) return failureResponse(file.status, 'no robots.txt');
  return { status: 200, headers: { 'content-type': file.type ?? 'text/plain' }, body: file.body ?? '' };
}
