/**
 * What a page is by its own word: news, a product on sale, a feed. It says so for machines (schema.org, Open Graph), or
 * by its format; a page that says nothing is of no kind. Nothing is guessed from the text.
 */
import { DocumentKind } from '../index/mod.ts';
import type { Page } from '../page/mod.ts';

const NEWS_TYPES = new Set([
  'NewsArticle',
  'AnalysisNewsArticle',
  'AskPublicNewsArticle',
  'BackgroundNewsArticle',
  'LiveBlogPosting',
  'OpinionNewsArticle',
  'ReportageNewsArticle',
  'ReviewNewsArticle',
]);
const PRODUCT_TYPES = new Set(['Product', 'IndividualProduct', 'ProductGroup', 'ProductModel']);

/** The empty string if it is none of them. */
export function documentKindOf({ kind, structured = [], openGraph = {} }: Page): DocumentKind | '' {
  if (kind === 'feed') return DocumentKind.feed;
  if (structured.some(({ type }) => NEWS_TYPES.has(type))) return DocumentKind.news;
  const isProduct = structured.some(({ type }) => PRODUCT_TYPES.has(type));
  return isProduct || /^(?:og:)?product(?:\.item)?$/.test(openGraph.type ?? '') ? DocumentKind.product : '';
}
