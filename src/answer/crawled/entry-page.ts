/**
 * Finds entry pages: the home page of a site, or the start page of a directory (a section). The index decides which pages
 * these are, and the ranking uses the same decision. If a query names the site or the section, the results page shows its
 * most linked pages below the result (sitelinks), and a panel beside it.
 */
import {
  contentWords,
  type ResultFacets,
  type Searcher,
  type SearchRequest,
  type SearchResult,
} from '../../query/mod.ts';
import { entryDirectoryOf } from '../../url/mod.ts';
import { isName } from '../asking/mod.ts';

type NamedResult = Pick<SearchResult, 'url' | 'host' | 'title' | 'isEntry'>;

export interface SectionPage {
  url: string;
  title: string;
}

export interface Section {
  /** The most linked pages of the section, without the entry page. */
  pages: SectionPage[];
  pageCount: number;
  /**
   * The counts of the section's pages by language and other properties; absent if the search did not count.
   */
  facets: ResultFacets | undefined;
}

/** Words that name a kind of page, such as `documentation`, and do not tell which site is meant. */
const GENERIC = new Set(
  `docs documentation manual reference handbook guide tutorial help home homepage page official site website web www
  dokumentation handbuch referenz anleitung startseite webseite site accueil manuel officiel`.split(/\s+/),
);
const MAX_PAGES = 6;
/**
 * The number of pages to request. It is greater than the number of pages to show, because pages with the same title and
 * pages too deep below the entry page are left out.
 */
const REQUESTED = 40;
/** The maximum depth below the entry page. Deeper pages are not shown as its sections. */
const MAX_DEPTH_BELOW = 2;
/** The maximum number of pages from one subdirectory, so that a large subdirectory does not take all places. */
const MAX_PER_SUBDIRECTORY = 2;
/** Matches pages to which every page links but which are not useful as sitelinks, such as `genindex`. */
const AUXILIARY = /^(?:genindex|(?:py-)?modindex|search|sitemap)\b/i;
/** Matches separators in a title: `Installation — Borg 1.2 documentation`, `Golly Help: Lua`. */
const SEPARATOR = /\s+[-–—|·»]\s+|:\s+/;

/**
 * Returns true if the result is an entry page and the query its name: each word, except words such as
 * `documentation`, is in the title, the host name or the path.
 */
export function isNamedEntry(query: string, { url, host, title, isEntry }: NamedResult): boolean {
  if (!isEntry || !isName(query)) return false;
  const path = directoryOf(url) ?? '';
  const own = new Set(
    contentWords(`${title} ${host.replaceAll('.', ' ')} ${path.replaceAll(/[/_.-]/g, ' ')}`),
  );
  const asked = contentWords(query);
  const named = asked.filter((word) => !GENERIC.has(word));
  const joined = asked.join('');
  return named.length > 0 && (named.every((word) => own.has(word)) || own.has(joined));
}

/**
 * Returns the directory of an entry page, given the URL of the page; null if the URL does not have the form of
 * an entry page.
 */
function directoryOf(url: string): string | null {
  const parsed = URL.parse(url);
  if (parsed?.search !== '') return null;
  return entryDirectoryOf(parsed.pathname);
}

/** Searches the pages of the section whose entry page is `entry`. */
export async function readSection(
  searcher: Pick<Searcher, 'search'>,
  entry: NamedResult,
  asked: Pick<SearchRequest, 'siteRules' | 'family' | 'arrivedAt' | 'isCancelled'> = {},
): Promise<Section> {
  const path = directoryOf(entry.url) ?? '/';
  const query = `site:${entry.host}${path === '/' ? '' : path.replace(/\/$/, '')}`;
  const request = { query, offset: 0, limit: REQUESTED, collapse: true, asTyped: true, ...asked };
  const { results, total, facets } = await searcher.search(request);
  const below = results
    .map(({ url, title }) => ({ url, title, depth: url === entry.url ? 0 : depthBelow(url, path) }))
    .filter(({ depth }) => depth > 0 && depth <= MAX_DEPTH_BELOW)
    .sort((a, b) => a.depth - b.depth);
  const chosen = below.filter(({ url, depth }, at) => depth === 1 || !isCrowded(below.slice(0, at), url));
  return { pages: withShortTitles(chosen, entry.title).slice(0, MAX_PAGES), pageCount: total, facets };
}

/**
 * Returns the number of path segments below the directory; an entry page of a subdirectory has one. Returns 0
 * for pages that are not sections: auxiliary pages, and pages outside the directory, which `site:` finds if
 * their path has the same words.
 */
function depthBelow(url: string, path: string): number {
  const parsed = URL.parse(url);
  if (!parsed?.pathname.startsWith(path) || parsed.search !== '') return 0;
  const entered = directoryOf(url) ?? parsed.pathname;
  const rest = entered.slice(path.length).replace(/\/$/, '').split('/');
  return rest[0] === '' || AUXILIARY.test(rest.at(-1)!) ? 0 : rest.length;
}

function isCrowded(before: readonly SectionPage[], url: string): boolean {
  const directory = url.slice(0, url.lastIndexOf('/') + 1);
  return before.filter((page) => page.url.startsWith(directory)).length >= MAX_PER_SUBDIRECTORY;
}

/**
 * Shortens the titles of pages: removes the phrases that most titles of the section share, such as the name of
 * the site. If several pages then have the same title, only the first is returned.
 */
function withShortTitles(pages: readonly SectionPage[], entryTitle: string): SectionPage[] {
  const parts = pages.map(({ title }) => title.split(SEPARATOR).map((part) => part.trim()));
  const counts = new Map<string, number>();
  for (const part of [...parts, entryTitle.split(SEPARATOR)].flatMap((list) => [...new Set(list)]))
    counts.set(part, (counts.get(part) ?? 0) + 1);
  const isShared = (part: string) => (counts.get(part) ?? 0) > Math.max(1, pages.length / 2);
  const short = new Map<string, SectionPage>();
  for (const [at, { url }] of pages.entries()) {
    const own = parts[at]!.filter((part) => part !== '' && !isShared(part));
    const title = own[0] ?? '';
    if (title !== '' && !short.has(title)) short.set(title, { url, title });
  }
  return [...short.values()];
}
