/**
 * The kind of a page.
 *
 *   news, product, feed   as the page declares it: structured data (schema.org), Open Graph, or the format
 *   listing               lists other pages: a directory of a web server, or an index that a program generated
 *   source                source code, or the source text of a page, shown by a documentation generator
 *
 * Listings and sources rank after the pages that they belong to. They are recognized by their titles and URLs, which
 * the programs that generate them always form in the same way. Tables of contents are not listings, because people
 * look for them. Other pages have no kind.
 */
import { DocumentKind } from '../index/mod.ts';
import type { Page } from '../page/mod.ts';
import { type CanonicalUrl, pathOf } from '../url/mod.ts';

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

/**
 * Matches titles of directory listings that nginx, Apache, lighttpd and Python's http.server generate, such as
 * `Index of /pub/`.
 */
const DIRECTORY_TITLE = /^(?:index of|directory listing (?:of|for)) \//i;
/** Matches URL paths of the indexes that Sphinx, Javadoc and Doxygen generate, such as `/genindex.html`. */
const GENERATED_INDEX =
  /\/(?:genindex|py-modindex|search)(?:-\w+)?\.html$|\/(?:class-use|index-files)\/|\/(?:index-all|all(?:classes|packages)-(?:index|frame)|overview-tree|package-(?:tree|use))\.html$|\/(?:functions|globals|namespacemembers)_\w+\.html$|\/(?:annotated|hierarchy)\.html$|\/(?:class|struct|union|interface)[^/]*-members\.html$|\/dir_[\da-f]{32}\.html$/;
/**
 * Matches titles that are the path of a file with source code, such as `Data/Map.hs`. Haddock shows source code below
 * such titles.
 */
const SOURCE_TITLE =
  /^[\w.-]+(?:\/[\w.-]+)+\.(?:c|cc|cpp|cs|erl|go|h|hpp|hs|java|js|kt|ml|php|pl|py|rb|rs|scala|swift|ts)$/;
/** Matches URL paths of source code that Sphinx (as a page or as text), Doxygen, rustdoc and Javadoc show. */
const SOURCE_PATH = /\/_modules\/|\/_sources\/|_source\.html$|\/src\/.*\.rs\.html$|\/src-html\//;

/** Returns the kind of a page, such as news or listing, or the empty string if the page has no kind. */
export function documentKindOf(page: Page, url: CanonicalUrl): DocumentKind | '' {
  const { kind, structured = [], openGraph = {} } = page;
  if (kind === 'feed') return DocumentKind.feed;
  if (structured.some(({ type }) => NEWS_TYPES.has(type))) return DocumentKind.news;
  const isProduct = structured.some(({ type }) => PRODUCT_TYPES.has(type));
  if (isProduct || /^(?:og:)?product(?:\.item)?$/.test(openGraph.type ?? '')) return DocumentKind.product;
  const path = pathOf(url);
  if (SOURCE_PATH.test(path) || SOURCE_TITLE.test(page.title)) return DocumentKind.source;
  return DIRECTORY_TITLE.test(page.title) || GENERATED_INDEX.test(path) ? DocumentKind.listing : '';
}
