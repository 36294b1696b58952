/**
 * A feature with icons of sites at the paths where browsers look for them, and with various wrong responses
 * at these paths.
 */
import { encodePng } from '../../base/mod.ts';
import { type FeatureContext, type FeaturePart, featurePageOf, range } from '../feature.ts';
import {
  htmlResponse,
  type Place,
  plannedSiteOf,
  type Responder,
  redirect,
  type SiteRobots,
  type WebResponse,
} from '../site.ts';

const ICON_KINDS = [
  'usual',
  'declared',
  'inline',
  'none',
  'redirect',
  'elsewhere',
  'abroad',
  'html',
  'huge',
  'missing',
  'drawing',
  'disguised',
  'loop',
  'disallowed',
] as const;

export type IconKind = (typeof ICON_KINDS)[number];

export interface IconTruth {
  host: string;
  kind: IconKind;
  /** The requests that a crawler may make to find the icon, in this order and each only once. */
  asked: Place[];
  /** The icon that a crawler finds in the end, as a PNG in base 64; null if there is none. */
  picture: string | null;
}

interface Plan {
  head?: string;
  files?: Record<string, Responder>;
  asked: (string | Place)[];
  picture: Buffer | null;
  disallowed?: string;
}

const USUAL = '/favicon.ico';
const DECLARED = '/img/icon.png';
const HUGE_BYTES = 10_000_000;
const SCRIPT = '<svg xmlns="http://www.w3.org/2000/svg"><script>globalThis.hacked = 1</script></svg>';

/** Plans `count` hosts for each kind of response to an icon request. */
export function planIcons(context: FeatureContext, count: number): FeaturePart<IconTruth> {
  const part: FeaturePart<IconTruth> = { sites: [], entries: [], truth: [] };
  for (const number of range(count * ICON_KINDS.length)) {
    const kind = ICON_KINDS[number % ICON_KINDS.length]!;
    const round = Math.floor(number / ICON_KINDS.length);
    const host = `icon-${kind}-${round}.test`;
    const document = context.document();
    const neighbour = { host: `icon-usual-${round}.test`, picture: pictureOf(round * ICON_KINDS.length) };
    const plan = PLANS[kind](pictureOf(number), neighbour);
    const page = () => htmlResponse(featurePageOf(context, document, { head: plan.head ?? '' }));
    const robots =
      plan.disallowed === undefined ? {} : { '/robots.txt': () => disallowing(plan.disallowed!) };
    const pages = { ...robots, ...plan.files, '/': page };
    part.sites.push(
      plannedSiteOf(host, pages, plan.disallowed === undefined ? undefined : robotsTruth(plan.disallowed)),
    );
    part.entries.push({ host, path: '/' });
    const asked = plan.asked.map((path) => (typeof path === 'string' ? { host, path } : path));
    part.truth.push({ host, kind, asked, picture: plan.picture?.toString('base64') ?? null });
  }
  return part;
}

const link = (href: string, more = '') => `<link rel="icon" href="${href}"${more}>`;

const PLANS: Record<IconKind, (picture: Buffer, neighbour: { host: string; picture: Buffer }) => Plan> = {
  usual: (picture) => ({ files: { [USUAL]: () => png(picture) }, asked: [USUAL], picture }),
  declared: (picture) => ({
    head: link('/img/icon.svg', ' type="image/svg+xml"') + link(DECLARED, ' sizes="16x16"'),
    files: { [DECLARED]: () => png(picture) },
    asked: [DECLARED],
    picture,
  }),
  inline: (picture) => ({
    head: link(`data:image/png;base64,${picture.toString('base64')}`),
    asked: [],
    picture,
  }),
  none: () => ({ head: link('data:,'), asked: [], picture: null }),
  redirect: (picture) => ({
    files: { [USUAL]: () => redirect(301, DECLARED), [DECLARED]: () => png(picture) },
    asked: [USUAL, DECLARED],
    picture,
  }),
  // The icon is on another host that the crawl knows.
  elsewhere: (_picture, { host, picture }) => ({
    files: { [USUAL]: (visit) => redirect(302, visit.url(host, USUAL)) },
    asked: [USUAL, { host, path: USUAL }],
    picture,
  }),
  // The icon is on a host that the crawl does not know.
  abroad: (picture) => ({
    head: link('http://unheard-of.test/icon.png'),
    files: { [USUAL]: () => png(picture) },
    asked: [USUAL],
    picture,
  }),
  html: () => ({
    files: { [USUAL]: () => htmlResponse('<title>Welcome</title>What?') },
    asked: [USUAL],
    picture: null,
  }),
  huge: (picture) => ({
    head: link(DECLARED),
    files: { [DECLARED]: () => png(Buffer.concat([picture, Buffer.alloc(HUGE_BYTES)])) },
    asked: [DECLARED, USUAL],
    picture: null,
  }),
  missing: () => ({ asked: [USUAL], picture: null }),
  drawing: () => ({
    head: link('/icon.svg'),
    files: { [USUAL]: () => answer(SCRIPT, 'image/svg+xml') },
    asked: [USUAL],
    picture: null,
  }),
  disguised: () => ({
    head: link(DECLARED),
    files: { [DECLARED]: () => answer(SCRIPT, 'image/png') },
    asked: [DECLARED, USUAL],
    picture: null,
  }),
  loop: () => ({
    files: { [USUAL]: () => redirect(301, '/b'), '/b': () => redirect(301, USUAL) },
    asked: [USUAL, '/b'],
    picture: null,
  }),
  disallowed: (picture) => ({
    files: { [USUAL]: () => png(picture) },
    asked: [],
    picture: null,
    disallowed: USUAL,
  }),
};

/** Returns an image with a different colour for each number. */
function pictureOf(number: number): Buffer {
  const rgba = Uint8Array.from({ length: 4 * 16 * 16 }, (_, at) =>
    at % 4 === 3 ? 255 : (number * 37 * at) % 256,
  );
  return encodePng({ width: 16, height: 16, rgba });
}

function png(body: Buffer): WebResponse {
  return answer(body, 'image/png');
}

function answer(body: Buffer | string, type: string): WebResponse {
  return { status: 200, headers: { 'content-type': type }, body };
}

function disallowing(path: string): WebResponse {
  return answer(`User-agent: *\nDisallow: ${path}\n`, 'text/plain');
}

function robotsTruth(path: string): SiteRobots {
  return {
    verdict: (asked) => (asked === path ? 'disallowed' : 'allowed'),
    crawlDelayMs: 0,
    closed: false,
    filePaths: new Set(),
  };
}
