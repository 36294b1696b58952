/**
 * The kind of a page as the page declares it: news, a product or a feed. The declaration is structured data
 * (schema.org), Open Graph, or the format. A page without a declaration has no kind; nothing is guessed from
 * the text.
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

/** Returns the empty string if the page has no kind. */
export function documentKindOf({ kind, structured = [], openGraph = {} }: Page): DocumentKind | '' {
  if (kind === 'feed') return DocumentKind.feed;
  if (structured.some(({ type }) => NEWS_TYPES.has(type))) return DocumentKind.news;
  const isProduct = structured.some(({ type }) => PRODUCT_TYPES.has(type));
  return isProduct || /^(?:og:)?product(?:\.item)?$/.test(openGraph.type ?? '') ? DocumentKind.product : '';
}
