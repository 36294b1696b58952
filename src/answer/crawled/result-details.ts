/**
 * Reads details of results from the archived pages: the publisher of news, the price and seller of a product.
 * Also finds the pages that crawled feeds announce. These are news, even if their markup does not say so.
 *
 * The details are part of the rendered page, so the request waits for them, but not longer than a time
 * budget. Details that are not read within the budget are missing, and `isComplete` is false.
 */
import type { Clock } from '../../base/mod.ts';
import { type Arrival, contentWords } from '../../query/mod.ts';
import type { AnswerContext } from '../answer-box.ts';
import { cutText } from '../asking/mod.ts';
import { type Offer, readOffer } from './offers.ts';
import type { OwnCrawl, ReadablePage } from './own-crawl.ts';
import { paperOf } from './papers.ts';

export interface Details<Detail> {
  /** The details that were found, by the URL of the page. */
  found: ReadonlyMap<string, Detail>;
  /** True if all pages were read within the time budget. */
  isComplete: boolean;
}

export interface AnnouncedArticle {
  /** The title of the feed that announces the article. */
  paper: string;
  /** The publication date in milliseconds since 1970. */
  publishedAt: number;
}

/** The time budget for reading details. It is the same as for answer boxes. */
const BUDGET_MS = 300;
const FEEDS_LOOKED_AT = 10;
/** The maximum number of feed entries, over all feeds. The newest entries are kept. */
const MAX_ANNOUNCED = 300;
const MAX_NAME = 60;

export class ResultDetails {
  readonly #crawl: OwnCrawl;
  readonly #clock: Clock;

  constructor(crawl: OwnCrawl, clock: Clock) {
    this.#crawl = crawl;
    this.#clock = clock;
  }

  /** Returns the publishers that the articles at the given URLs name. */
  papers(urls: readonly string[]): Promise<Details<string>> {
    return this.#read(urls, (page) => cutText(paperOf(page), MAX_NAME) || null);
  }

  offers(urls: readonly string[]): Promise<Details<Offer>> {
    return this.#read(urls, readOffer);
  }

  /**
   * Returns the entries of feeds that contain all words of `text` except function words. If several feeds
   * announce a page, the newest entry counts.
   */
  async announced(
    text: string,
    asked: Pick<AnswerContext, 'siteRules' | 'family'> & Arrival,
  ): Promise<Details<AnnouncedArticle>> {
    const words = contentWords(text);
    if (words.length === 0) return { found: new Map(), isComplete: true };
    const query = `${words.map((word) => `+${word}`).join(' ')} kind:feed`;
    const request = { query, offset: 0, limit: FEEDS_LOOKED_AT, asTyped: true, ...asked };
    const { results } = await this.#crawl.searcher.search(request);
    const feeds = await this.#read(
      results.map(({ url }) => url),
      (page) => page,
    );
    const named = results.flatMap(({ url, host }) => entriesOf(feeds.found.get(url), host));
    named.sort((a, b) => b.publishedAt - a.publishedAt);
    const found = new Map<string, AnnouncedArticle>();
    for (const { url, ...article } of named.slice(0, MAX_ANNOUNCED))
      if (!found.has(url)) found.set(url, article);
    return { found, isComplete: feeds.isComplete };
  }

  /**
   * Reads details of pages within the time budget. The first page is always read, even if this takes longer.
   */
  async #read<Detail>(
    urls: readonly string[],
    detailOf: (page: ReadablePage) => Detail | null,
  ): Promise<Details<Detail>> {
    const found = new Map<string, Detail>();
    const end = this.#clock.now() + BUDGET_MS;
    for (const url of urls) {
      if (this.#clock.now() > end) return { found, isComplete: false };
      const read = await this.#crawl.pages.read(url);
      if (read.kind === 'late') return { found, isComplete: false };
      const detail = read.kind === 'page' ? detailOf(read.page) : null;
      if (detail !== null) found.set(url, detail);
    }
    return { found, isComplete: true };
  }
}

/** Returns the entries that have a publication date. */
function entriesOf(feed: ReadablePage | undefined, host: string): (AnnouncedArticle & { url: string })[] {
  const paper = cutText(feed?.title ?? '', MAX_NAME) || host;
  return (feed?.entries ?? []).flatMap(({ url, publishedAt }) =>
    publishedAt === undefined ? [] : [{ url, paper, publishedAt }],
  );
}
