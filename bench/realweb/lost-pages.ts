/**
 * Looks for pages that were fetched and cannot be found. A page with status 200, HTML and a title that no other
 * page has must be among the first ten results for that title, or be listed as similar by one of these results.
 * URLs with equal bodies count as one page. Pages with `noindex` are left out.
 */
import { Random } from '../../src/base/mod.ts';
import type { ArchivedPages } from './archived-pages.ts';
import type { EngineServer, FoundPage } from './engine.ts';
import type { UrlOutcome } from './journal-outcomes.ts';
import { sampleOf } from './sample.ts';

export interface LostReport {
  /** The number of pages with a title that no other page has. */
  pages: number;
  searched: number;
  /** The share of the searched pages that were not found. */
  lost: number;
  causes: Record<string, number>;
  examples: LostPage[];
}

export interface LostPage {
  url: string;
  title: string;
  cause: string;
}

interface TitledPage {
  title: string;
  urls: string[];
}

const LISTED = 20;
const MAX_QUERY = 300;
const FIELDS = /\b(intitle|inurl|inbody|inanchor|site|filetype|kind|lang|before|after|link|related):/gi;

export async function findLostPages(
  server: EngineServer,
  archive: ArchivedPages,
  outcomes: ReadonlyMap<string, UrlOutcome>,
  sampleSize: number,
  seed: number,
): Promise<LostReport> {
  const pages = pagesWithOwnTitle(archive);
  const sample = sampleOf(pages, sampleSize, new Random(seed));
  const lost: LostPage[] = [];
  for (const { title, urls } of sample) {
    const { results } = await server.search(plainQuery(title));
    if (!results.some((result) => standsFor(result, urls)))
      lost.push({ url: urls[0]!, title, cause: causeOf(urls, outcomes, results) });
  }
  const causes = Object.entries(Object.groupBy(lost, ({ cause }) => cause));
  return {
    pages: pages.length,
    searched: sample.length,
    lost: sample.length === 0 ? 0 : lost.length / sample.length,
    causes: Object.fromEntries(causes.map(([cause, pages]) => [cause, pages!.length])),
    examples: lost.slice(0, LISTED),
  };
}

function pagesWithOwnTitle(archive: ArchivedPages): TitledPage[] {
  const byTitle = new Map<string, TitledPage[]>();
  for (const urls of archive.htmlPages()) {
    const outline = archive.headOutline(urls[0]!);
    if (!outline || outline.isNoIndex || !/\p{L}/u.test(outline.title)) continue;
    const key = outline.title.toLowerCase();
    byTitle.set(key, [...(byTitle.get(key) ?? []), { title: outline.title, urls }]);
  }
  return [...byTitle.values()].filter(({ length }) => length === 1).flat();
}

function standsFor({ url, similar = [] }: FoundPage, urls: readonly string[]): boolean {
  return [url, ...similar].some((listed) => urls.includes(listed));
}

/** Removes the characters of a title that the query language would read as operators. */
export function plainQuery(title: string): string {
  return title
    .replace(/["“”()*]/g, ' ')
    .replace(/(^|\s)[-+]+(?=[^\s+-])/g, ' ')
    .replace(FIELDS, '$1 ')
    .replace(/\b(?:AND|OR|NOT|NEAR)\b/g, (word) => word.toLowerCase())
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, MAX_QUERY);
}

/** Returns the reason why a page is not found, from the journal or from the list of results. */
function causeOf(
  urls: readonly string[],
  outcomes: ReadonlyMap<string, UrlOutcome>,
  results: readonly FoundPage[],
): string {
  const known = urls.flatMap((url) => outcomes.get(url) ?? []);
  if (known.some(({ kind }) => kind === 'page'))
    return isHostLimited(urls, results) ? 'more from this site' : 'below the first ten';
  const alias = known.find((outcome) => outcome.kind === 'alias');
  if (alias) return `alias: ${alias.reason}`;
  const gone = known.find((outcome) => outcome.kind === 'gone');
  return gone ? `gone: ${gone.reason}` : 'not in the journal';
}

/** Returns true if the list of results leaves out results of the page's host. */
function isHostLimited(urls: readonly string[], results: readonly FoundPage[]): boolean {
  const hosts = urls.map((url) => new URL(url).host);
  return results.some(({ url, moreFromSite }) => moreFromSite && hosts.includes(new URL(url).host));
}
