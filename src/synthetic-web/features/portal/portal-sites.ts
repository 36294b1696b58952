/**
 * The two hosts of the job portal. Postings have several URLs:
 *
 *   jobs-portal.test   /              links to the lists
 *                      /list/N        all listed postings, in pages
 *                      /new           the newest postings, with links that have a tracking parameter
 *                      /in/CITY       the postings of a city, with links that have another parameter
 *                      /jobs/ID       a posting, the same with any parameters
 *   jobs-copies.test   /              all copies
 *                      /offers/ID     the copy of a posting
 *
 * Some postings have the title, employer and city of another one, but are not the same. Which postings are open at a
 * time is in postings.ts.
 */
import { type FeatureContext, type FeaturePart, range } from '../../feature.ts';
import { htmlResponse, openRobots, type Site, type Visit, type WebResponse } from '../../site.ts';
import { copyPage, portalDocument, postingListPage, postingPage } from './posting-pages.ts';
import {
  COPIES_HOST,
  CYCLE_PERIODS,
  ENDINGS,
  isListedAt,
  isThere,
  PORTAL_HOST,
  type Posting,
  type PostingSlot,
  postingAt,
  postingNamed,
} from './postings.ts';

const PAGE_SIZE = 10;
const SIMILAR = 3;
const CITIES = ['Delft', 'Gouda', 'Leiden', 'Haarlem'];
const ROLES = ['Potter', 'Glazier', 'Weaver', 'Brewer', 'Baker', 'Printer', 'Tanner', 'Cooper', 'Smith'];
const LEVELS = ['Junior', 'Senior', 'Assistant', 'Head'];

/** Plans a portal with `count` slots for postings, about half of which are open at any time. */
export function planJobPortal(context: FeatureContext, count: number): FeaturePart<PostingSlot> {
  const slots = range(count).map((number) => planSlot(context, number, count));
  const sites = [portalSite(context, slots), copiesSite(context, slots)];
  return { sites, entries: sites.map(({ host }) => ({ host, path: '/' })), truth: slots };
}

function planSlot({ tuning, prose }: FeatureContext, number: number, count: number): PostingSlot {
  const cycleMs = CYCLE_PERIODS * tuning.portalPeriodMs;
  // Every tenth posting has the title, employer and city of the one before it.
  const named = number % 10 === 9 ? number - 1 : number;
  return {
    ...{ number, cycleMs, phaseMs: Math.floor((number * cycleMs) / count) },
    ending: ENDINGS[number % ENDINGS.length]!,
    openMs: (3 + (number % 2)) * tuning.portalPeriodMs,
    title: `${LEVELS[named % LEVELS.length]} ${ROLES[named % ROLES.length]}`,
    organization: `${prose.title(named)} & Sons`,
    city: CITIES[Math.floor(named / 3) % CITIES.length]!,
    syntax: number % 4 === 3 ? 'microdata' : 'json-ld',
    copy: number % 3 === 0 ? 'identifier' : number % 3 === 1 ? 'text' : null,
  };
}

function portalSite(context: FeatureContext, slots: readonly PostingSlot[]): Site {
  const answer = (visit: Visit): WebResponse | undefined => {
    const { now } = visit;
    const [path] = visit.path.split('?');
    const [, section, name = ''] = path!.split('/');
    if (path === '/robots.txt') return openRobots();
    const listed = listedPostings(slots, now);
    if (path === '/') return htmlResponse(homePage(listed.length));
    const plain = ({ identifier }: Posting) => `/jobs/${identifier}`;
    if (section === 'list') {
      const shown = listed.slice((Number(name) - 1) * PAGE_SIZE, Number(name) * PAGE_SIZE);
      return shown.length > 0 ? htmlResponse(postingListPage(`Jobs, page ${name}`, shown, plain)) : undefined;
    }
    if (section === 'new') {
      const newest = listed.toSorted((a, b) => b.opensAt - a.opensAt).slice(0, PAGE_SIZE);
      return htmlResponse(
        postingListPage('New jobs', newest, (posting) => `${plain(posting)}?utm_source=new`),
      );
    }
    if (section === 'in') {
      const local = listed.filter(({ slot }) => slot.city === name);
      return htmlResponse(
        postingListPage(`Jobs in ${name}`, local, (posting) => `${plain(posting)}?from=city`),
      );
    }
    const posting = section === 'jobs' ? postingNamed(slots, name, now) : null;
    if (!posting || !isThere(posting, now)) return undefined;
    return postingResponse(context, posting, listed, visit);
  };
  return { host: PORTAL_HOST, answer };
}

/** Most postings are on pages that differ at every visit; the others have an ETag. */
function postingResponse(
  context: FeatureContext,
  posting: Posting,
  listed: readonly Posting[],
  visit: Visit,
): WebResponse {
  const { number } = posting.slot;
  if (number % 4 > 0) {
    const similar = listed.filter(({ slot }) => slot.number % SIMILAR === number % SIMILAR);
    const paths = similar.slice(0, SIMILAR).map(({ identifier }) => `/jobs/${identifier}`);
    return htmlResponse(postingPage(context, posting, paths, visit));
  }
  const etag = `"${posting.identifier} ${visit.now >= posting.changesAt}"`;
  if (visit.header('if-none-match') === etag) return { status: 304, headers: { etag } };
  return htmlResponse(postingPage(context, posting, [], visit), { etag });
}

function copiesSite(context: FeatureContext, slots: readonly PostingSlot[]): Site {
  const answer = (visit: Visit): WebResponse | undefined => {
    const { now, path } = visit;
    if (path === '/robots.txt') return openRobots();
    if (path === '/') {
      const copied = listedPostings(slots, now).filter(({ slot }) => slot.copy !== null);
      return htmlResponse(postingListPage('All offers', copied, ({ identifier }) => `/offers/${identifier}`));
    }
    const posting = path.startsWith('/offers/') ? postingNamed(slots, path.slice(8), now) : null;
    if (!posting || !isThere(posting, now) || posting.slot.copy === null) return undefined;
    return htmlResponse(copyPage(context, posting, visit));
  };
  return { host: COPIES_HOST, answer };
}

function listedPostings(slots: readonly PostingSlot[], now: number): Posting[] {
  return slots.map((slot) => postingAt(slot, now)).filter((posting) => isListedAt(posting, now));
}

function homePage(postings: number): string {
  const pages = range(Math.ceil(postings / PAGE_SIZE)).map((at) => `/list/${at + 1}`);
  const links = [...pages, '/new', ...CITIES.map((city) => `/in/${city}`)];
  const items = links.map((href) => `<li><a href="${href}">${href.slice(1)}</a></li>`);
  return portalDocument(
    'Jobs',
    `<h1>Jobs of the guilds</h1><p>Work for every trade.</p><ul>${items.join('')}</ul>`,
  );
}
