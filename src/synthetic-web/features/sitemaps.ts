/**
 * A feature with sitemaps in all formats of sitemaps.org: XML, an index of two sitemaps (one of them
 * compressed), compressed, plain text, truncated, and a sitemap that robots.txt does not name.
 */
import { gzipSync } from 'node:zlib';
import type { FeatureContext, FeaturePart } from '../feature.ts';
import type { Responder, Visit } from '../site.ts';
import {
  type Discovery,
  type DiscoveryTruth,
  type Hidden,
  MODIFIED_AT,
  planDiscovery,
  textResponse,
} from './discovery.ts';

type SitemapKind = 'plain' | 'index' | 'gzip' | 'text' | 'broken' | 'unannounced';

const SITEMAP_KINDS: SitemapKind[] = ['plain', 'index', 'gzip', 'text', 'broken', 'unannounced'];

/**
 * Plans `count` hosts for each format. robots.txt names all sitemaps except `unannounced`, which is at the
 * default path `/sitemap.xml`. `broken` is truncated after its last entry.
 */
export function planSitemaps(
  context: FeatureContext,
  count: number,
): FeaturePart<DiscoveryTruth<SitemapKind>> {
  return planDiscovery(context, 'sitemap', SITEMAP_KINDS, count, sitemapDiscovery);
}

function sitemapDiscovery(kind: SitemapKind, hidden: Hidden[]): Discovery {
  const file = {
    plain: '/maps/site.xml',
    index: '/maps/index.xml',
    gzip: '/maps/site.xml.gz',
    text: '/maps/urls.txt',
    broken: '/maps/broken.xml',
    unannounced: '/sitemap.xml',
  }[kind];
  const files = sitemapFiles(kind, file, hidden);
  if (kind === 'unannounced') return { file, files };
  return { file, files, robotsLine: (visit) => `Sitemap: ${visit.url(visit.host, file)}` };
}

function sitemapFiles(kind: SitemapKind, file: string, hidden: Hidden[]): Record<string, Responder> {
  const xml = (visit: Visit, pages: Hidden[]) => urlset(pages.map(({ path }) => visit.url(visit.host, path)));
  switch (kind) {
    case 'gzip':
      return { [file]: (visit) => textResponse('application/gzip', gzipSync(xml(visit, hidden))) };
    case 'text':
      return {
        [file]: (visit) =>
          textResponse('text/plain', hidden.map(({ path }) => visit.url(visit.host, path)).join('\n')),
      };
    case 'broken':
      return {
        [file]: (visit) =>
          textResponse('application/xml', xml(visit, hidden).replace(/<\/urlset>\s*$/, '<url><lo')),
      };
    case 'index':
      return {
        [file]: (visit) =>
          textResponse(
            'application/xml',
            indexOf(['/maps/1.xml', '/maps/2.xml.gz'].map((path) => visit.url(visit.host, path))),
          ),
        '/maps/1.xml': (visit) => textResponse('application/xml', xml(visit, hidden.slice(0, 5))),
        '/maps/2.xml.gz': (visit) => textResponse('application/gzip', gzipSync(xml(visit, hidden.slice(5)))),
      };
    default:
      return { [file]: (visit) => textResponse('application/xml', xml(visit, hidden)) };
  }
}

function urlset(urls: string[]): string {
  const entries = urls.map(
    (url) => `  <url><loc>${url}</loc><lastmod>${new Date(MODIFIED_AT).toISOString()}</lastmod></url>\n`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries.join('')}</urlset>\n`;
}

function indexOf(urls: string[]): string {
  const entries = urls.map((url) => `  <sitemap><loc>${url}</loc></sitemap>\n`);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries.join('')}</sitemapindex>\n`;
}
