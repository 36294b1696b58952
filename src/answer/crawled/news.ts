/**
 * Makes the news box from crawled pages, newest first: articles that declare themselves as news (`kind:news`,
 * schema.org's NewsArticle), and entries of crawled feeds (`kind:feed`). At most two articles per host are
 * shown. If the query does not have a word such as "news", the box is shown only with articles from more than
 * one host. Each article has every word of the subject except function words, so that `weather in Berlin`
 * does not match every page with `in`.
 */
import { DAY_MS, MINUTE_MS } from '../../base/mod.ts';
import { contentWords } from '../../query/mod.ts';
import { SiteJudge } from '../../url/mod.ts';
import type { AnswerBox, AnswerContext } from '../answer-box.ts';
import { cutText, isName } from '../asking/mod.ts';
import { bestPages, type FoundPage, type OwnCrawl, propertyOf } from './own-crawl.ts';
import { articleItem, paperOf } from './papers.ts';

const ARTICLES_LOOKED_AT = 20;
const FEEDS_LOOKED_AT = 5;
const SHOWN = 5;
const MAX_PER_HOST = 2;
const MIN_HOSTS = 2;
const MAX_AGE = 30 * DAY_MS;
/** The tolerance for wrong clocks of sites. Articles dated further in the future are left out. */
const MAX_AHEAD = 3_600_000;

/** The words that ask for news in the UI languages: `news about tides`, `tides news`. */
const WORD = 'latest news|news|nachrichten|actualités|أخبار';
const ASKED = new RegExp(`^(?:${WORD}) (?:(?:about|on|über|zu|sur|عن) )?|\\s+(?:${WORD})$`, 'gi');

interface Article {
  url: string;
  title: string;
  paper: string;
  publishedAt: number;
}

export function news(crawl: OwnCrawl): AnswerBox {
  return {
    name: 'news',
    cacheMs: 5 * MINUTE_MS,
    matches: (query) => isName(query),
    async answer(query, context, signal) {
      const subject = query.replace(ASKED, '');
      const articles = latest(await reported(crawl, subject, context, signal), context.now);
      const isAskedFor = subject !== query && articles.length > 0;
      if (!isAskedFor && new Set(articles.map(hostOf)).size < MIN_HOSTS) return null;
      return {
        kind: 'news',
        title: context.words.text('news.title', { subject }),
        text: '',
        facts: [],
        links: articles.map((article) => linkOf(article, context)),
        source: { name: context.words.text('ownPages'), url: '' },
        time: new Date(articles[0]!.publishedAt).toISOString(),
      };
    },
  };
}

/**
 * Returns articles from pages and feeds. If an article is in a feed and was also crawled, it appears once,
 * with the data of its page. Articles on blocked sites are left out, even if another site's feed announces
 * them.
 */
async function reported(
  crawl: OwnCrawl,
  subject: string,
  context: AnswerContext,
  signal: AbortSignal,
): Promise<Article[]> {
  const since = new Date(context.now - MAX_AGE).toISOString().slice(0, 10);
  const wanted = contentWords(subject);
  const required = wanted.map((word) => `+${word}`).join(' ');
  const articles = `${required} kind:news after:${since}`;
  const pages = await bestPages(crawl, articles, ARTICLES_LOOKED_AT, context, signal);
  const feeds = await bestPages(crawl, `${required} kind:feed`, FEEDS_LOOKED_AT, context, signal);
  const told = [...feeds.flatMap((feed) => announcedBy(feed, wanted)), ...pages.flatMap(articleOf)];
  const judge = new SiteJudge(context.siteRules ?? []);
  const allowed = told.filter((article) => !judge.blocks(hostOf(article)));
  return [...new Map(allowed.map((article) => [article.url, article])).values()];
}

function articleOf({ url, host, page }: FoundPage): Article[] {
  const item = articleItem(page);
  if (!item) return [];
  const stated = Date.parse(propertyOf(item, 'datePublished', 'dateModified'));
  const publishedAt = Number.isNaN(stated) ? page.publishedAt : stated;
  if (publishedAt === undefined) return [];
  const title = propertyOf(item, 'headline', 'name') || page.title;
  return [{ url, title, paper: paperOf(page) || host, publishedAt }];
}

/** Returns the entries of a feed whose title contains all wanted words. */
function announcedBy({ host, page }: FoundPage, wanted: readonly string[]): Article[] {
  return page.entries.flatMap(({ url, title, publishedAt }) => {
    const words = new Set(wordsOf(title));
    const isAbout = wanted.every((word) => words.has(word));
    return isAbout && publishedAt !== undefined
      ? [{ url, title, paper: page.title || host, publishedAt }]
      : [];
  });
}

function latest(articles: readonly Article[], now: number): Article[] {
  const perHost = new Map<string, number>();
  return articles
    .filter(({ publishedAt }) => publishedAt > now - MAX_AGE && publishedAt < now + MAX_AHEAD)
    .sort((a, b) => b.publishedAt - a.publishedAt)
    .filter((article) => {
      const host = hostOf(article);
      const count = (perHost.get(host) ?? 0) + 1;
      perHost.set(host, count);
      return count <= MAX_PER_HOST;
    })
    .slice(0, SHOWN);
}

function linkOf({ url, title, paper, publishedAt }: Article, { words }: AnswerContext) {
  return {
    ...{ title: cutText(title, 160), url },
    ...{ detail: cutText(paper, 60), day: words.shortDay(publishedAt) },
  };
}

function hostOf({ url }: Article): string {
  return URL.parse(url)?.hostname ?? '';
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+(?:['’][\p{L}\p{M}\p{N}]+)*/gu) ?? [];
}
