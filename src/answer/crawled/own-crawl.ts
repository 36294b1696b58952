/**
 * Finds pages for the answer boxes that use crawled pages: the best results for a query. Each page is read
 * again from the archive, which has all its structured data. Therefore the index needs no additional fields,
 * and an improved page parser takes effect at once. Reading a page takes a few milliseconds, and the answer is
 * cached.
 */
import type { Searcher, SearchRequest } from '../../query/mod.ts';
import type { AnswerContext, Fact } from '../answer-box.ts';

/** The content of a page that boxes use. */
export interface ReadablePage {
  title: string;
  /** The description that the page declares; empty or absent if there is none. */
  description?: string;
  /** The paragraphs of the page, one per line. */
  text: string;
  /** The structured data of the page as `page/` extracts it: each item has a type, and properties with dotted names. */
  items: readonly StructuredThing[];
  /** The rows of the infobox, if the page is an encyclopedia article. */
  facts: readonly Fact[];
  /** The entries of the feed, if the page is a feed. */
  entries: readonly Announcement[];
  /** The publication date in milliseconds since 1970; absent if the page does not state it. */
  publishedAt?: number;
  fetchedAt: number;
}

interface Announcement {
  url: string;
  title: string;
  /** The publication date in milliseconds since 1970; absent if the feed does not state it. */
  publishedAt?: number;
}

export interface StructuredThing {
  type: string;
  properties: Readonly<Record<string, readonly string[]>>;
}

type PageRead =
  | { kind: 'page'; page: ReadablePage }
  /** The archive has no copy of the page that may be shown. */
  | { kind: 'none' }
  /** The copy could not be read within the time limit. */
  | { kind: 'late' };

export interface PageReader {
  read(url: string): Promise<PageRead>;
}

export interface OwnCrawl {
  searcher: Pick<Searcher, 'search'>;
  pages: PageReader;
}

export interface FoundPage {
  url: string;
  host: string;
  page: ReadablePage;
}

/**
 * Returns the best pages for a query. Site rules of the searcher apply. Throws if `signal` is aborted or a
 * page could not be read in time, because otherwise an answer without that page would be cached.
 */
export async function bestPages(
  { searcher, pages }: OwnCrawl,
  query: string,
  limit: number,
  context: AnswerContext,
  signal: AbortSignal,
): Promise<FoundPage[]> {
  const { results } = await searcher.search({ query, offset: 0, limit, ...searcherRules(context) });
  const found: FoundPage[] = [];
  for (const { url, host } of results) {
    signal.throwIfAborted();
    const read = await pages.read(url);
    if (read.kind === 'late') throw new Error(`the copy of ${url} could not be read in time`);
    if (read.kind === 'page') found.push({ url, host, page: read.page });
  }
  return found;
}

/**
 * Returns the part of the searcher's preferences that applies to every search for an answer: site rules and
 * family filter.
 */
export function searcherRules({
  siteRules,
  family,
}: Pick<AnswerContext, 'siteRules' | 'family'>): Pick<SearchRequest, 'siteRules' | 'family'> {
  return { ...(siteRules && { siteRules }), ...(family && { family }) };
}

/** Returns the structured data items that have one of the given types. */
export function thingsOf({ items }: ReadablePage, types: ReadonlySet<string>): StructuredThing[] {
  return items.filter(({ type }) => types.has(type));
}

/**
 * Returns the first value of one property: the first of `names` that the item has. Returns the empty string if
 * it has none of them.
 */
export function propertyOf({ properties }: StructuredThing, ...names: string[]): string {
  for (const name of names) {
    const value = Object.hasOwn(properties, name) ? properties[name]?.[0] : undefined;
    if (value !== undefined && value !== '') return value;
  }
  return '';
}
