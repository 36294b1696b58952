/**
 * Answer boxes that use crawled pages: knowledge panels, news and offers. They search the index, then read
 * the best pages again from the archive. Pages that do not allow quoting are not quoted.
 */

export { isNamedEntry, readSection, type SectionPage } from './entry-page.ts';
export { knowledge } from './knowledge.ts';
export { news } from './news.ts';
export type { Offer } from './offers.ts';
export type { PageReader, ReadablePage } from './own-crawl.ts';
export { type AnnouncedArticle, type Details, ResultDetails } from './result-details.ts';
export { formatPrice, productOf, shopping } from './shopping.ts';
export { sitePanel } from './site-panel.ts';
