/**
 * Formats other than HTML and PDF: feeds, sitemaps, Markdown and plain text. Each spends the work budget of its
 * document.
 */

export { type FeedEntry, parseJsonFeed, parseXmlFeed, readFeedEntries } from './feed.ts';
export { parseMarkdown } from './markdown.ts';
export { parsePlainText } from './plain-text.ts';
export { isSitemap, mayBeZippedSitemap, parseSitemap } from './sitemap.ts';
