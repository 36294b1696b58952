/**
 * Pages that no link leads to: only a sitemap or a feed names them. Each host has a home page, which is
 * the seed, and ten hidden pages.
 */
import { type Document, type FeatureContext, type FeaturePart, pageOf, range } from '../feature.ts';
import { type Answer, html, type Responder, type Site, siteOf, type Visit } from '../site.ts';

const HIDDEN_PAGES = 10;
/** When every hidden page was last changed, it is said. */
export const MODIFIED_AT = Date.UTC(2024, 4, 17, 9, 30);

export interface DiscoveryTruth<Kind extends string> {
  host: string;
  kind: Kind;
  /** The file to begin with. */
  file: string;
  /** Named by that file or those that it names, and linked from nowhere. */
  hidden: { path: string; title: string; uniqueWord: string }[];
}

export interface Hidden extends Document {
  path: string;
}

export interface Discovery {
  file: string;
  /** The head of the home page, and what robots.txt says besides allowing everything. */
  head?: string;
  robotsLine?: (visit: Visit) => string;
  files: Record<string, Responder>;
}

/** `count` hosts of each kind. */
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
  pages['/'] = () => html(pageOf(context, home, { head: discovery.head ?? '' }));
  for (const document of hidden) pages[document.path] = () => html(pageOf(context, document));
  const { robotsLine } = discovery;
  if (robotsLine) {
    pages['/robots.txt'] = (visit) => text('text/plain', `${robotsLine(visit)}\nUser-agent: *\nDisallow:\n`);
  }
  return siteOf(host, pages);
}

export function text(type: string, body: string | Uint8Array): Answer {
  return { status: 200, headers: { 'content-type': type }, body };
}
