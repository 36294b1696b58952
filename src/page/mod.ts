/** page: from bytes to a `Page`. Broken markup never throws and never loops. */
export { parseDate } from './dates.ts';
export { NO_ICON } from './declared-icon.ts';
export type { Extractor, ExtractorReport } from './extractor.ts';
export { mediaWiki } from './extractors/media-wiki.ts';
export { type FeedEntry, readFeedEntries } from './feed.ts';
export { cut, fold } from './folding.ts';
export { type InertCopy, type InertCopyOptions, inertCopy, markedText } from './inert-copy.ts';
export { type InfoboxRow, readInfobox } from './infobox.ts';
export {
  isShortened,
  MAX_DESCRIPTION,
  MAX_LINK_TEXT,
  MAX_LINKS,
  MAX_TEXT,
  MAX_TITLE,
} from './limits.ts';
export { loadExtractors } from './load-extractors.ts';
export {
  type Alternate,
  headingLevel,
  type Link,
  type Mark,
  MarkKind,
  type Page,
  type Range,
  type RobotsDirectives,
  type StructuredItem,
} from './page.ts';
export type { PageInput } from './page-input.ts';
export { isFeedName, type ParseOptions, parsePage, readsContentType } from './parse-page.ts';
export { MAX_ICON_BYTES, pictureType } from './picture-type.ts';
export { isListed, mayBeFound } from './robots-directives.ts';
export { parseSitemap, type Sitemap, type SitemapPage, type SitemapReference } from './sitemap.ts';
