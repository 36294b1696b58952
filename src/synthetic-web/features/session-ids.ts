/**
 * Features with shops that write a new session id into every link, so that the same pages have new URLs on
 * every visit.
 *
 * `sessionIds` uses well-known parameter names, so removing them from the URL is enough. `sessionTrap` uses
 * an unknown name; only the identical text shows that the pages are the same.
 */
import { type FeatureContext, type FeaturePart, featurePageOf, range } from '../feature.ts';
import { mix } from '../seeded.ts';
import { htmlResponse, openRobots, type Place, type Site, type Visit } from '../site.ts';

const KNOWN = ['sid', 'PHPSESSID', ';jsessionid'];
const PAGES = 10;

export interface SessionTruth {
  host: string;
  /** The name of the session parameter: a query parameter, or a path parameter if it begins with `;`. */
  parameter: string;
  /** The pages, with paths without a session id. */
  pages: { path: string; title: string; uniqueWord: string }[];
}

/** Plans `count` hosts for each of three well-known parameter names. */
export function planSessionIds(context: FeatureContext, count: number): FeaturePart<SessionTruth> {
  return planSessions(
    context,
    'session',
    range(count * KNOWN.length).map((number) => KNOWN[number % KNOWN.length]!),
  );
}

/** Plans `count` hosts with a parameter name that no list contains. */
export function planSessionTrap(context: FeatureContext, count: number): FeaturePart<SessionTruth> {
  return planSessions(
    context,
    'session-trap',
    range(count).map(() => 'wander'),
  );
}

function planSessions(
  context: FeatureContext,
  name: string,
  parameters: string[],
): FeaturePart<SessionTruth> {
  const truth = parameters.map((parameter, number) => {
    const pages = range(PAGES).map((page) => ({
      path: page === 0 ? '/' : `/item/${page}`,
      ...context.document(),
    }));
    return { host: `${name}-${number}.test`, parameter, pages };
  });
  return {
    sites: truth.map(({ host, parameter, pages }) => sessionSite(context, host, parameter, pages)),
    entries: truth.map(({ host }): Place => ({ host, path: '/' })),
    truth: truth.map(({ pages, ...rest }) => ({
      ...rest,
      pages: pages.map(({ path, title, uniqueWord }) => ({ path, title, uniqueWord })),
    })),
  };
}

type Item = SessionTruth['pages'][number] & { number: number };

function sessionSite(context: FeatureContext, host: string, parameter: string, items: Item[]): Site {
  const byPath = new Map(items.map((item) => [item.path, item]));
  const answer = (visit: Visit) => {
    if (visit.path === '/robots.txt') return openRobots();
    const item = byPath.get(withoutSession(visit.path, parameter));
    if (!item) return undefined;
    const session = mix(context.seed, visit.tally(host).earlier, item.number).toString(16);
    const anchors = items.map(({ path, title }) => ({
      href: withSession(path, parameter, session),
      text: title,
    }));
    return htmlResponse(featurePageOf(context, item, { anchors }));
  };
  return { host, answer };
}

function withSession(path: string, parameter: string, session: string): string {
  return parameter.startsWith(';') ? `${path}${parameter}=${session}` : `${path}?${parameter}=${session}`;
}

function withoutSession(path: string, parameter: string): string {
  const at = path.indexOf(parameter.startsWith(';') ? `${parameter}=` : `?${parameter}=`);
  return at < 0 ? path : path.slice(0, at);
}
