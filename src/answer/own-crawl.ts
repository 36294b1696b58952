/**
 * What boxes over one's own crawl stand on: the best results for a query, each read again from the archive, where
 * all is kept that the page says for machines. The index needs no further fields for it, and a better reading of
 * pages is at work at once; the price is a few milliseconds a page, paid once for a cached answer.
 */
import type { Searcher } from '../query/mod.ts';
import type { AnswerContext, Fact } from './answer-box.ts';

/** A page as boxes need it. */
export interface ReadablePage {
  title: string;
  /** Paragraphs, one to a line. */
  text: string;
  /** As `page/` gives them: a type and properties with dotted names. */
  items: readonly StructuredThing[];
  /** The rows of its infobox, if it is an article of an encyclopedia. */
  facts: readonly Fact[];
  /** What it announces, if it is a feed. */
  entries: readonly Announcement[];
  /** Milliseconds since 1970; absent if it does not say. */
  publishedAt?: number;
  fetchedAt: number;
}

export interface Announcement {
  url: string;
  title: string;
  /** Milliseconds since 1970; absent if the feed does not say. */
  publishedAt?: number;
}

export interface StructuredThing {
  type: string;
  properties: Readonly<Record<string, readonly string[]>>;
}

export interface PageReader {
  /** What the newest copy of a page says; null if there is none that may be shown. */
  read(url: string): ReadablePage | null;
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
 * Under the rules of the searcher for sites. Lets others have their turn between pages, and stops when nobody waits any
 * longer.
 */
export async function bestPages(
  { searcher, pages }: OwnCrawl,
  query: string,
  limit: number,
  { siteRules }: AnswerContext,
  signal: AbortSignal,
): Promise<FoundPage[]> {
  const { results } = await searcher.search({ query, offset: 0, limit, ...(siteRules && { siteRules }) });
  const found: FoundPage[] = [];
  for (const { url, host } of results) {
    if (signal.aborted) break;
    const page = pages.read(url);
    if (page) found.push({ url, host, page });
    await new Promise((resolve) => setImmediate(resolve));
  }
  return found;
}

/** The things of these types that a page describes. */
export function thingsOf({ items }: ReadablePage, types: ReadonlySet<string>): StructuredThing[] {
  return items.filter(({ type }) => types.has(type));
}

/** The first value of the first of these properties that there is; empty if there is none. */
export function propertyOf({ properties }: StructuredThing, ...names: string[]): string {
  for (const name of names) {
    const value = Object.hasOwn(properties, name) ? properties[name]?.[0] : undefined;
    if (value !== undefined && value !== '') return value;
  }
  return '';
}
