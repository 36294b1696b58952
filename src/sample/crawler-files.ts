/**
 * Makes the robots.txt and the sitemap of a site of the sample web. Every page may be crawled, and the
 * sitemap lists all pages.
 */
import { escapeText } from './html.ts';

export interface SitemapEntry {
  address: string;
  modifiedAt: number;
}

export function robotsText(sitemapAddress: string): string {
  return `User-agent: *\nAllow: /\n\nSitemap: ${sitemapAddress}\n`;
}

export function sitemapXml(entries: readonly SitemapEntry[]): string {
  const urls = entries.map(({ address, modifiedAt }) => {
    const date = `${new Date(modifiedAt).toISOString().slice(0, 19)}Z`;
    return `<url><loc>${escapeText(address)}</loc><lastmod>${date}</lastmod></url>\n`;
  });
  const namespace = 'http://www.sitemaps.org/schemas/sitemap/0.9';
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="${namespace}">\n${urls.join('')}</urlset>\n`;
}
