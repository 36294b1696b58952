/**
 * News from one's own crawl: articles among the results (schema.org's NewsArticle and its kinds), the newest first,
 * no more than two of a site, and only if more than one site reports.
 */
import type { AnswerBox, AnswerLink } from './answer-box.ts';
import { cutText, isName } from './names.ts';
import { bestPages, type FoundPage, type OwnCrawl, propertyOf, thingsOf } from './own-crawl.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;
const TYPES = new Set([
  'NewsArticle',
  'ReportageNewsArticle',
  'AnalysisNewsArticle',
  'LiveBlogPosting',
  'BackgroundNewsArticle',
]);
const LOOKED_AT = 30;
const SHOWN = 5;
const MAX_PER_HOST = 2;
const MIN_HOSTS = 2;
/** Older articles are history. */
const MAX_AGE = 30 * DAY;
/** Clocks of sites differ; what is further ahead is announced, not reported. */
const MAX_AHEAD = 3_600_000;

interface Article {
  link: AnswerLink;
  host: string;
  publishedAt: number;
}

export function news(crawl: OwnCrawl): AnswerBox {
  return {
    name: 'news',
    cacheMs: 5 * MINUTE,
    matches: (query) => isName(query),
    async answer(query, { now }, signal) {
      const subject = query.replace(/^(?:latest )?news (?:about |on )?|\s+(?:latest )?news$/gi, '');
      const found = await bestPages(crawl, subject, LOOKED_AT, signal);
      const articles = latest(found.flatMap(articleOf), now);
      if (new Set(articles.map(({ host }) => host)).size < MIN_HOSTS) return null;
      return {
        kind: 'news',
        title: `News: ${subject}`,
        text: '',
        facts: [],
        links: articles.map(({ link }) => link),
        source: { name: 'Pages of this index', url: '' },
        time: new Date(articles[0]!.publishedAt).toISOString(),
      };
    },
  };
}

function articleOf({ url, host, page }: FoundPage): Article[] {
  const [item] = thingsOf(page, TYPES);
  if (!item) return [];
  const stated = Date.parse(propertyOf(item, 'datePublished', 'dateModified'));
  const publishedAt = Number.isNaN(stated) ? page.publishedAt : stated;
  if (publishedAt === undefined) return [];
  const day = new Date(publishedAt).toISOString().slice(0, 10);
  const title = cutText(propertyOf(item, 'headline', 'name') || page.title, 160);
  const paper = propertyOf(item, 'publisher.name') || host;
  return [{ host, publishedAt, link: { title, url, detail: `${cutText(paper, 60)}, ${day}` } }];
}

function latest(articles: readonly Article[], now: number): Article[] {
  const perHost = new Map<string, number>();
  return articles
    .filter(({ publishedAt }) => publishedAt > now - MAX_AGE && publishedAt < now + MAX_AHEAD)
    .sort((a, b) => b.publishedAt - a.publishedAt)
    .filter(({ host }) => {
      const count = (perHost.get(host) ?? 0) + 1;
      perHost.set(host, count);
      return count <= MAX_PER_HOST;
    })
    .slice(0, SHOWN);
}
