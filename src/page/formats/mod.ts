/**
 * Feeds, sitemaps, Markdown and plain text, and the XML scanner that office documents need too. Each spends the
 * work budget of its document.
 */

export { declaredEncoding, type FeedEntry, parseJsonFeed, parseXmlFeed, readFeedEntries } from './feed.ts';
export { parseMarkdown } from './markdown.ts';
export { escapeHtml } from './markdown-inline.ts';
export { parsePlainText } from './plain-text.ts';
export { elementsIn, localName } from './xml-elements.ts';
export { readXml, type XmlDocument } from './xml-records.ts';
export { scanXml, type XmlHandler } from './xml-scanner.ts';
export { isSitemap, mayBeZippedSitemap, parseSitemap } from './sitemap.ts';
