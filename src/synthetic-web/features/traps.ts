/**
 * Features with infinite sites (traps). Each site also has a few honest pages, so a test can require that the
 * crawl finds these while the trap costs a bounded number of requests.
 *
 *   calendarTrap    /calendar/YYYY/MM links to the previous and the next month; each page has different words
 *   pathTrap        a relative link to `archive/`; at any depth the page has the same words
 *   parameterTrap   filters that can be combined and repeated without end; each page has different words
 *   templateTrap    a form to send a page to a friend, for infinitely many pages; each form has the same words
 */
import { hashLanes } from '../../base/mod.ts';
import {
  type Anchor,
  type FeatureContext,
  type FeaturePart,
  featurePageOf,
  listedSite,
  range,
} from '../feature.ts';
import { htmlResponse, type Responder, type Site, type Visit, type WebResponse } from '../site.ts';

export interface TrapTruth {
  host: string;
  /** The prefix of all URLs of the trap. No other URL has this prefix. */
  prefix: string;
  /** True if all pages of the trap have the same text. */
  sameText: boolean;
  honest: { path: string; title: string; uniqueWord: string }[];
}

interface Trap {
  name: string;
  prefix: string;
  start: string;
  sameText: boolean;
  anchors(path: string): Anchor[];
}

const HONEST_PAGES = 5;
const FILTERS = ['colour', 'size', 'maker', 'order'];

const CALENDAR: Trap = {
  name: 'calendar',
  prefix: '/calendar/',
  start: '/calendar/2024/05',
  sameText: false,
  anchors(path) {
    const [, year, month] = /^\/calendar\/(-?\d+)\/(\d+)$/.exec(path) ?? [];
    const at = Number(year ?? 2024) * 12 + Number(month ?? 5) - 1;
    return [
      monthAnchor(at - 1, 'previous month'),
      monthAnchor(at + 1, 'next month'),
      monthAnchor(at + 12, 'next year'),
    ];
  },
};

const PATH: Trap = {
  name: 'path',
  prefix: '/library/',
  start: '/library/',
  sameText: true,
  anchors: () => [
    { href: 'archive/', text: 'archive' },
    { href: 'archive/old/', text: 'older' },
  ],
};

const PARAMETER: Trap = {
  name: 'parameter',
  prefix: '/list?',
  start: '/list?page=1',
  sameText: false,
  anchors: (path) => FILTERS.map((name, at) => ({ href: `${path}&${name}=${at}`, text: `by ${name}` })),
};

const TEMPLATE: Trap = {
  name: 'template',
  prefix: '/send/',
  start: '/send/1',
  sameText: true,
  anchors(path) {
    const number = Number(path.slice('/send/'.length)) || 1;
    return range(3).map((step) => ({ href: `/send/${3 * number + step}`, text: 'send another' }));
  },
};

/** Plans `count` hosts, each with one calendar. */
export function planCalendarTrap(context: FeatureContext, count: number): FeaturePart<TrapTruth> {
  return planTrap(context, count, CALENDAR);
}

export function planPathTrap(context: FeatureContext, count: number): FeaturePart<TrapTruth> {
  return planTrap(context, count, PATH);
}

export function planParameterTrap(context: FeatureContext, count: number): FeaturePart<TrapTruth> {
  return planTrap(context, count, PARAMETER);
}

export function planTemplateTrap(context: FeatureContext, count: number): FeaturePart<TrapTruth> {
  return planTrap(context, count, TEMPLATE);
}

function planTrap(context: FeatureContext, count: number, trap: Trap): FeaturePart<TrapTruth> {
  const part: FeaturePart<TrapTruth> = { sites: [], entries: [], truth: [] };
  for (const number of range(count)) {
    const host = `${trap.name}-trap-${number}.test`;
    const documents = range(HONEST_PAGES).map((page) => ({
      path: `/about/${page}`,
      document: context.document(),
    }));
    const pages: Record<string, Responder> = {};
    for (const { path, document } of documents)
      pages[path] = () => htmlResponse(featurePageOf(context, document));
    pages[trap.start] = (visit) => trapPage(context, trap, visit);
    const honest = documents.map(({ path, document: { title, uniqueWord } }) => ({
      path,
      title,
      uniqueWord,
    }));
    part.sites.push(trapSite(context, host, pages, trap));
    part.entries.push({ host, path: '/' });
    part.truth.push({ host, prefix: trap.prefix, sameText: trap.sameText, honest });
  }
  return part;
}

function trapSite(context: FeatureContext, host: string, pages: Record<string, Responder>, trap: Trap): Site {
  const honest = listedSite(context, host, pages);
  const answer = (visit: Visit) =>
    visit.path.startsWith(trap.prefix) ? trapPage(context, trap, visit) : honest.answer(visit);
  return { host, answer };
}

function trapPage(context: FeatureContext, trap: Trap, { host, path }: Visit): WebResponse {
  const number = 90_000_000 + (hashLanes(trap.sameText ? host : host + path)[0] % 10_000_000);
  const document = {
    number,
    title: context.prose.title(number),
    uniqueWord: context.prose.uniqueWord(number),
  };
  return htmlResponse(featurePageOf(context, document, { anchors: trap.anchors(path) }));
}

function monthAnchor(month: number, text: string): Anchor {
  const year = Math.floor(month / 12);
  return { href: `/calendar/${year}/${String((month % 12) + 1).padStart(2, '0')}`, text };
}
