/**
 * A feature with pages to which no page links: only a sitemap or a feed lists them. Each host has a home
 * page, which is the seed, and ten hidden pages.
 */
import { type Document, type FeatureContext, type FeaturePart, featurePageOf, range } from '../feature.ts';
import {
  htmlResponse,
  plannedSiteOf,
  type Responder,
  type Site,
  type Visit,
  type WebResponse,
} from '../site.ts';

const HIDDEN_PAGES = 10;
/** The modification time that sitemaps and feeds give for every hidden page. */
export const MODIFIED_AT = Date.UTC(2024, 4, 17, 9, 30);

export interface DiscoveryTruth<Kind extends string> {
  host: string;
  kind: Kind;
  /** The first sitemap or feed to fetch. */
  file: string;
  /**
   * The pages to which no page links. Only the sitemap or feed `file`, or a file that it names, lists them.
   */
  hidden: { path: string; title: string; uniqueWord: string }[];
}

export interface Hidden extends Document {
  path: string;
}

export interface Discovery {
  file: string;
  /** Elements for the head of the home page. `robotsLine` is added to a robots.txt that allows everything. */
  head?: string;
  robotsLine?: (visit: Visit) => string;
  files: Record<string, Responder>;
}

/** Plans `count` hosts for each kind of sitemap or feed. */
export function planDiscovery<Kind extends string>(
  context: FeatureContext,
  name: string,
  kinds: Kind[],
  count: number,
  discover: (kind: Kind, hidden: Hidden[]) => Discovery,
): FeaturePart<DiscoveryTruth<Kind>> {
  const part: FeaturePart<DiscoveryTruth<Kind>> = { sites: [], entries: [], truth: [] };
  for (const number of range(count * kinds.length)) {
    const kind = kinds[number % kinds.length]!;
    const host = `${name}-${kind}-${Math.floor(number / kinds.length)}.test`;
    const hidden = range(HIDDEN_PAGES).map((page) => ({ path: `/hidden/${page}`, ...context.document() }));
    const discovery = discover(kind, hidden);
    part.sites.push(discoverySite(context, host, hidden, discovery));
    part.entries.push({ host, path: '/' });
    const named = hidden.map(({ path, title, uniqueWord }) => ({ path, title, uniqueWord }));
    part.truth.push({ host, kind, file: discovery.file, hidden: named });
  }
  return part;
}

function discoverySite(context: FeatureContext, host: string, hidden: Hidden[], discovery: Discovery): Site {
  const home = context.document();
  const pages: Record<string, Responder> = { ...discovery.files };
  pages['/'] = () => htmlResponse(featurePageOf(context, home, { head: discovery.head ?? '' }));
  for (const document of hidden) pages[document.path] = () => htmlResponse(featurePageOf(context, document));
  const { robotsLine } = discovery;
  if (robotsLine) {
    pages['/robots.txt'] = (visit) =>
      textResponse('text/plain', `${robotsLine(visit)}\nUser-agent: *\nDisallow:\n`);
  }
  return plannedSiteOf(host, pages);
}

export function textResponse(type: string, body: string | Uint8Array): WebResponse {
  return { status: 200, headers: { 'content-type': type }, body };
}
