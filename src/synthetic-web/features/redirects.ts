/**
 * Features with redirects that lead to a page, and with redirects that never end.
 *
 * `redirects` has each redirect status alone, chains, redirects to other hosts and relative URLs.
 * `redirectLoops` has cycles of one to three URLs, and a chain in which every redirect leads to a new URL.
 */
import { anchorsTo, type FeatureContext, type FeaturePart, featurePageOf, range } from '../feature.ts';
import {
  htmlResponse,
  type Place,
  plannedSiteOf,
  type Responder,
  redirect,
  type Site,
  type Visit,
} from '../site.ts';

const STATUSES = [301, 302, 303, 307, 308];
const CHAINS = [2, 3, 5];

export interface RedirectTruth {
  from: Place;
  /** The page at the end of the redirects. `title` and `uniqueWord` belong to this page. */
  to: Place;
  /** The status of the first redirect. */
  status: number;
  hops: number;
  form: 'absolute' | 'relative' | 'other-host';
  title: string;
  uniqueWord: string;
}

export interface RedirectLoopTruth extends Place {
  /** The number of URLs in the cycle; 0 if no URL is ever repeated. */
  length: number;
}

/**
 * Plans `count` sets of thirteen redirects: one for each of five statuses, three chains, and one for each
 * status to another host.
 */
export function planRedirects(context: FeatureContext, count: number): FeaturePart<RedirectTruth> {
  const part: FeaturePart<RedirectTruth> = { sites: [], entries: [], truth: [] };
  for (const number of range(count)) {
    const host = `redirects-${number}.test`;
    const other = `redirected-${number}.test`;
    const plans = redirectPlans(host, other);
    const pages: Record<string, Responder> = {};
    const otherPages: Record<string, Responder> = {};
    for (const { steps, ...plan } of plans) {
      const { title, uniqueWord, ...rest } = context.document();
      const target = plan.to.host === host ? pages : otherPages;
      target[plan.to.path] = () => htmlResponse(featurePageOf(context, { title, uniqueWord, ...rest }));
      Object.assign(pages, steps);
      part.truth.push({ ...plan, title, uniqueWord });
    }
    const anchors = anchorsTo(plans.map(({ from }) => from.path));
    const entry = context.document();
    pages['/'] = () => htmlResponse(featurePageOf(context, entry, { anchors }));
    part.sites.push(plannedSiteOf(host, pages), plannedSiteOf(other, otherPages));
    part.entries.push({ host, path: '/' });
  }
  return part;
}

type RedirectPlan = Omit<RedirectTruth, 'title' | 'uniqueWord'> & { steps: Record<string, Responder> };

function redirectPlans(host: string, other: string): RedirectPlan[] {
  const single = STATUSES.map((status) => {
    const form = status % 2 === 1 ? 'relative' : 'absolute';
    return chain({ host, path: `/old/${status}` }, { host, path: `/new/${status}` }, status, 1, form);
  });
  const chains = CHAINS.map((hops) =>
    chain({ host, path: `/chain/${hops}` }, { host, path: `/end/${hops}` }, 301, hops, 'absolute'),
  );
  const across = STATUSES.map((status) =>
    chain(
      { host, path: `/moved/${status}` },
      { host: other, path: `/new/${status}` },
      status,
      1,
      'other-host',
    ),
  );
  return [...single, ...chains, ...across];
}

function chain(
  from: Place,
  to: Place,
  status: number,
  hops: number,
  form: RedirectTruth['form'],
): RedirectPlan {
  const stops = range(hops).map((hop) => (hop === 0 ? from.path : `${from.path}/hop-${hop}`));
  const steps: Record<string, Responder> = {};
  stops.forEach((path, hop) => {
    const next = hop + 1 < hops ? { host: from.host, path: stops[hop + 1]! } : to;
    steps[path] = (visit) => redirect(hop === 0 ? status : 302, location(visit, next, form));
  });
  return { from, to, status, hops, form, steps };
}

function location(visit: Visit, next: Place, form: RedirectTruth['form']): string {
  return form === 'relative' ? next.path : visit.url(next.host, next.path);
}

/** Plans `count` hosts, each with four endless redirects. */
export function planRedirectLoops(context: FeatureContext, count: number): FeaturePart<RedirectLoopTruth> {
  const part: FeaturePart<RedirectLoopTruth> = { sites: [], entries: [], truth: [] };
  for (const number of range(count)) {
    const host = `loops-${number}.test`;
    const loops = [1, 2, 3, 0].map((length) => ({ host, path: `/loop/${length}/0`, length }));
    part.sites.push(loopSite(context, host, loops));
    part.entries.push({ host, path: '/' });
    part.truth.push(...loops);
  }
  return part;
}

function loopSite(context: FeatureContext, host: string, loops: RedirectLoopTruth[]): Site {
  const document = context.document();
  const anchors = anchorsTo(loops.map(({ path }) => path));
  const home = plannedSiteOf(host, {
    '/': () => htmlResponse(featurePageOf(context, document, { anchors })),
  });
  const answer = (visit: Visit) => {
    const [, length, step] = /^\/loop\/(\d)\/(\d+)$/.exec(visit.path) ?? [];
    if (length === undefined) return home.answer(visit);
    const next = Number(step) + 1;
    return redirect(302, `/loop/${length}/${length === '0' ? next : next % Number(length)}`);
  };
  return { host, answer };
}
