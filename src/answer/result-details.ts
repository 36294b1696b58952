/**
 * What results behind a tab show besides title and snippet, from the archived pages: who reports the news, what a product
 * costs and where. And which pages crawled feeds announce: they are news, though they may not say so themselves.
 *
 * All of it stands on the page itself, without a script, so that it is waited for: no longer than a budget. What is
 * not read by then is absent, and `isWhole` says so.
 */
import type { Clock } from '../base/mod.ts';
import { tellingWords } from '../query/mod.ts';
import type { AnswerContext } from './answer-box.ts';
import { cutText } from './names.ts';
import { type Offer, readOffer } from './offers.ts';
import type { OwnCrawl, ReadablePage } from './own-crawl.ts';
import { paperOf } from './papers.ts';

export interface Details<Detail> {
  /** By the addresses of pages. */
  found: ReadonlyMap<string, Detail>;
  /** There was time for all of them. */
  isWhole: boolean;
}

export interface AnnouncedArticle {
  /** The feed that names it. */
  paper: string;
  /** Milliseconds since 1970. */
  publishedAt: number;
}

/** As much as boxes have. */
const BUDGET_MS = 300;
const FEEDS_LOOKED_AT = 10;
/** The newest of all feeds. */
const MAX_ANNOUNCED = 300;
const MAX_NAME = 60;

export class ResultDetails {
  readonly #crawl: OwnCrawl;
  readonly #clock: Clock;

  constructor(crawl: OwnCrawl, clock: Clock) {
    this.#crawl = crawl;
    this.#clock = clock;
  }

  /** What an article says of its publisher. */
  papers(urls: readonly string[]): Promise<Details<string>> {
    return this.#read(urls, (page) => cutText(paperOf(page), MAX_NAME) || null);
  }

  offers(urls: readonly string[]): Promise<Details<Offer>> {
    return this.#read(urls, readOffer);
  }

  /** What the feeds announce that have all telling words of a text; of each page the first that names it. */
  async announced(
    text: string,
    { siteRules }: Pick<AnswerContext, 'siteRules'>,
  ): Promise<Details<AnnouncedArticle>> {
    const words = tellingWords(text);
    if (words.length === 0) return { found: new Map(), isWhole: true };
    const query = `${words.map((word) => `+${word}`).join(' ')} kind:feed`;
    const request = { query, offset: 0, limit: FEEDS_LOOKED_AT, asTyped: true };
    const { results } = await this.#crawl.searcher.search({ ...request, ...(siteRules && { siteRules }) });
    const feeds = await this.#read(
      results.map(({ url }) => url),
      (page) => page,
    );
    const named = results.flatMap(({ url, host }) => entriesOf(feeds.found.get(url), host));
    named.sort((a, b) => b.publishedAt - a.publishedAt);
    const found = new Map<string, AnnouncedArticle>();
    for (const { url, ...article } of named.slice(0, MAX_ANNOUNCED))
      if (!found.has(url)) found.set(url, article);
    return { found, isWhole: feeds.isWhole };
  }

  /** One at least, however late it is. Lets others have their turn between pages. */
  async #read<Detail>(
    urls: readonly string[],
    detailOf: (page: ReadablePage) => Detail | null,
  ): Promise<Details<Detail>> {
    const found = new Map<string, Detail>();
    const end = this.#clock.now() + BUDGET_MS;
    for (const url of urls) {
      if (this.#clock.now() > end) return { found, isWhole: false };
      const page = this.#crawl.pages.read(url);
      const detail = page && detailOf(page);
      if (detail !== null) found.set(url, detail);
      await new Promise((resolve) => setImmediate(resolve));
    }
    return { found, isWhole: true };
  }
}

/** Those that say when they were published. */
function entriesOf(feed: ReadablePage | undefined, host: string): (AnnouncedArticle & { url: string })[] {
  const paper = cutText(feed?.title ?? '', MAX_NAME) || host;
  return (feed?.entries ?? []).flatMap(({ url, publishedAt }) =>
    publishedAt === undefined ? [] : [{ url, paper, publishedAt }],
  );
}
