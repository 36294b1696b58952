/** Features with directives for crawlers and indexers in the head, the headers and the links of pages. */
import {
  anchorsTo,
  type Document,
  dealPages,
  type FeatureContext,
  type FeaturePart,
  featurePageOf,
  listedSite,
  paragraphsOf,
  range,
} from '../feature.ts';
import {
  htmlResponse,
  type Place,
  plannedSiteOf,
  type Responder,
  type Visit,
  type WebResponse,
} from '../site.ts';

const PAGES_PER_HOST = 20;

export interface CanonicalTruth {
  variant: Place;
  canonical: Place;
  /**
   * How a page declares its canonical page, or what is wrong with the declaration. `missing`: the canonical
   * page returns 404. `unrelated`: the canonical page has another text. In both cases the declaration must be
   * ignored. `excerpt`: the page has only a part of the text of its canonical page.
   */
  manner: (typeof CANONICAL_MANNERS)[number];
  title: string;
  /** A word that the page and its canonical page contain, unless they are unrelated. */
  uniqueWord: string;
}

const CANONICAL_MANNERS = [
  'element',
  'header',
  'relative',
  'other-host',
  'missing',
  'unrelated',
  'excerpt',
] as const;

/** Plans `count` pages that declare a canonical page. Most have the same text as their canonical page. */
export function planCanonical(context: FeatureContext, count: number): FeaturePart<CanonicalTruth> {
  const host = 'canonical-0.test';
  const other = 'canonical-other-0.test';
  const pages: Record<string, Record<string, Responder>> = { [host]: {}, [other]: {} };
  const truth = range(count).map((number): CanonicalTruth => {
    const document = context.document();
    const manner = CANONICAL_MANNERS[number % CANONICAL_MANNERS.length]!;
    const variant = { host, path: `/variant/${number}?view=print` };
    const canonical = { host: manner === 'other-host' ? other : host, path: `/main/${number}` };
    pages[host]![variant.path] = (visit) => variantPage(context, document, visit, manner, canonical);
    const named = manner === 'unrelated' ? context.document() : document;
    if (manner !== 'missing')
      pages[canonical.host]![canonical.path] = () => htmlResponse(featurePageOf(context, named));
    return { variant, canonical, manner, title: document.title, uniqueWord: document.uniqueWord };
  });
  const sites = [listedSite(context, host, pages[host]!), listedSite(context, other, pages[other]!)];
  return { sites, entries: sites.map((site) => ({ host: site.host, path: '/' })), truth };
}

function variantPage(
  context: FeatureContext,
  document: Document,
  visit: Visit,
  manner: CanonicalTruth['manner'],
  canonical: Place,
): WebResponse {
  const href = manner === 'relative' ? `..${canonical.path}` : visit.url(canonical.host, canonical.path);
  if (manner === 'header')
    return htmlResponse(featurePageOf(context, document), { link: `<${href}>; rel="canonical"` });
  const head = `<link rel="canonical" href="${href}">`;
  const whole = paragraphsOf(context, document);
  const paragraphs = manner === 'excerpt' ? whole.slice(0, -1) : whole;
  return htmlResponse(featurePageOf(context, document, { head, paragraphs }));
}

export interface NofollowTruth {
  page: Place;
  /** The `rel` value of the links; `meta` if a meta element applies to all links of the page. */
  manner: 'nofollow' | 'ugc' | 'sponsored' | 'meta';
  /** URLs that must not be fetched, because only restricted links lead to them. */
  unfollowed: string[];
  /** The targets of unrestricted links on the same page; empty for `meta`. */
  followed: string[];
}

const NOFOLLOW_MANNERS = ['nofollow', 'ugc', 'sponsored', 'meta'] as const;

/** Plans `count` hosts that cycle through the values of `manner`. */
export function planNofollow(context: FeatureContext, count: number): FeaturePart<NofollowTruth> {
  const part: FeaturePart<NofollowTruth> = { sites: [], entries: [], truth: [] };
  for (const number of range(count)) {
    const manner = NOFOLLOW_MANNERS[number % NOFOLLOW_MANNERS.length]!;
    const page = { host: `nofollow-${number}.test`, path: '/' };
    const unfollowed = range(3).map((target) => `/unfollowed/${target}`);
    const followed = manner === 'meta' ? [] : range(3).map((target) => `/followed/${target}`);
    const home = context.document();
    const rel = manner === 'meta' ? {} : { rel: `external ${manner}` };
    const anchors = [
      ...anchorsTo(followed),
      ...anchorsTo(unfollowed).map((anchor) => ({ ...anchor, ...rel })),
    ];
    const head = manner === 'meta' ? '<meta name="robots" content="nofollow">' : '';
    const pages: Record<string, Responder> = {
      '/': () => htmlResponse(featurePageOf(context, home, { anchors, head })),
    };
    for (const path of [...followed, ...unfollowed]) {
      const document = context.document();
      pages[path] = () => htmlResponse(featurePageOf(context, document));
    }
    part.sites.push(plannedSiteOf(page.host, pages));
    part.entries.push(page);
    part.truth.push({ page, manner, unfollowed, followed });
  }
  return part;
}

export interface DirectiveTruth extends Place {
  /** The `content` of the meta element, or the value of the header. */
  directive: string;
  /** `index` is true if the page may be indexed, and `follow` if its links may be followed. */
  index: boolean;
  follow: boolean;
  /** A URL to which only the page with the directive links. */
  link: string;
  title: string;
  uniqueWord: string;
}

type Directive = Pick<DirectiveTruth, 'directive' | 'index' | 'follow'> & { name?: string };

/**
 * Plans `count` pages with meta elements. Most forbid indexing, in various spellings; some only seem to
 * forbid it.
 */
export function planNoindex(context: FeatureContext, count: number): FeaturePart<DirectiveTruth> {
  const directives: Directive[] = [
    { directive: 'noindex', index: false, follow: true },
    { directive: 'none', index: false, follow: false },
    { directive: 'NOINDEX, NOFOLLOW', index: false, follow: false },
    { directive: ' noarchive ,noindex', index: false, follow: true },
    { directive: 'noindex', name: context.agent, index: false, follow: true },
    { directive: 'noindex', name: 'otherbot', index: true, follow: true },
    { directive: 'index, follow', index: true, follow: true },
  ];
  return planDirectives(context, 'noindex', count, directives, (page, { directive, name }) =>
    htmlResponse(
      page.replace('</head>', `<meta name="${name ?? 'robots'}" content="${directive}">\n</head>`),
    ),
  );
}

/**
 * Plans `count` pages like `planNoindex`, with the directives in an `X-Robots-Tag` header instead of a meta
 * element.
 */
export function planXRobotsTag(context: FeatureContext, count: number): FeaturePart<DirectiveTruth> {
  const directives: Directive[] = [
    { directive: 'noindex', index: false, follow: true },
    { directive: 'none', index: false, follow: false },
    { directive: 'noarchive, nofollow', index: true, follow: false },
    { directive: `${context.agent}: noindex`, index: false, follow: true },
    { directive: 'otherbot: noindex, nofollow', index: true, follow: true },
    { directive: 'max-snippet: 20', index: true, follow: true },
  ];
  return planDirectives(context, 'x-robots', count, directives, (page, { directive }) =>
    htmlResponse(page, { 'x-robots-tag': directive }),
  );
}

function planDirectives(
  context: FeatureContext,
  name: string,
  count: number,
  directives: Directive[],
  answer: (page: string, directive: Directive) => ReturnType<Responder>,
): FeaturePart<DirectiveTruth> {
  const planned = range(count).map((number) => {
    const directive = directives[number % directives.length]!;
    const { title, uniqueWord, ...rest } = context.document();
    const link = `/beyond/${number}`;
    const page = featurePageOf(context, { title, uniqueWord, ...rest }, { anchors: anchorsTo([link]) });
    const { index, follow } = directive;
    const truth = { directive: directive.directive, index, follow, link, title, uniqueWord };
    return { path: `/page/${number}`, respond: () => answer(page, directive), truth };
  });
  const part = dealPages(context, name, PAGES_PER_HOST, planned);
  const beyond = range(count).map(() => context.document());
  const sites = part.sites.map((site) => ({
    host: site.host,
    answer: (visit: Visit) => {
      const number = /^\/beyond\/(\d+)$/.exec(visit.path)?.[1];
      const document = number === undefined ? undefined : beyond[Number(number)];
      return document ? htmlResponse(featurePageOf(context, document)) : site.answer(visit);
    },
  }));
  return { ...part, sites };
}
