import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { canonicalize } from '../../url/mod.ts';
import { parseSitemap, type Sitemap } from './sitemap.ts';

const url = canonicalize('https://example.org/sitemap.xml')!;

function parse(text: string | Uint8Array): Sitemap {
  return parseSitemap(Buffer.from(text), url);
}

const SITEMAP = `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:news="http://www.google.com/schemas/sitemap-news/0.9">
<url><loc> https://example.org/a?x=1&amp;y=2 </loc><lastmod>2024-05-01</lastmod><changefreq>Daily</changefreq><priority>0.8</priority></url>
<url><loc>https://example.org/b</loc><lastmod>never</lastmod><priority>7</priority>
<xhtml:link rel="alternate" hreflang="de" href="https://example.org/de/b"/></url>
<url><loc>https://example.org/c</loc><news:news><news:publication><news:name>Gazette</news:name><news:language>en</news:language></news:publication>
<news:publication_date>2024-05-02T08:00:00Z</news:publication_date><news:title>Flood in the valley</news:title></news:news></url>
<url><loc></loc></url><url><loc>mailto:x</loc></url></urlset>`;

const PAGES = [
  { url: 'https://example.org/a?x=1&y=2', modifiedAt: Date.UTC(2024, 4, 1), priority: 0.8, changes: 'daily' },
  { url: 'https://example.org/b', alternates: [{ url: 'https://example.org/de/b', language: 'de' }] },
  {
    url: 'https://example.org/c',
    news: { title: 'Flood in the valley', publishedAt: Date.UTC(2024, 4, 2, 8), language: 'en' },
  },
];

test('sitemap entries have their declared dates and priorities', () => {
  assert.deepEqual(parse(SITEMAP), { pages: PAGES, sitemaps: [] });
});

test('a gzipped sitemap is decoded, and a broken one is empty', () => {
  assert.deepEqual(parse(gzipSync(SITEMAP)).pages, PAGES);
  assert.deepEqual(parse(gzipSync(SITEMAP).subarray(0, 60)), { pages: [], sitemaps: [] });
});

test('a sitemap of more than 50 MiB is truncated, and its beginning is used', () => {
  const huge = Buffer.concat([Buffer.from(SITEMAP), Buffer.alloc(60 * 1024 * 1024, ' ')]);
  assert.deepEqual(parse(gzipSync(huge)), { pages: PAGES, sitemaps: [], incomplete: true });
});

test('a sitemap index lists other sitemaps', () => {
  const index = `<sitemapindex><sitemap><loc>https://example.org/s1.xml.gz</loc><lastmod>2024-05-01T10:00:00+02:00</lastmod></sitemap>
    <sitemap><loc>/s2.xml</loc></sitemap></sitemapindex>`;
  assert.deepEqual(parse(index), {
    pages: [],
    sitemaps: [
      { url: 'https://example.org/s1.xml.gz', modifiedAt: Date.UTC(2024, 4, 1, 8) },
      { url: 'https://example.org/s2.xml' },
    ],
  });
});

test('plain lists of URLs and feeds are sitemaps too', () => {
  assert.deepEqual(parse('https://example.org/a\r\n\r\nhttps://example.org/b\nno address\n').pages, [
    { url: 'https://example.org/a' },
    { url: 'https://example.org/b' },
  ]);
  const feed =
    '<rss><channel><item><link>https://example.org/x</link><pubDate>1 May 2024</pubDate></item></channel></rss>';
  assert.deepEqual(parse(feed).pages, [{ url: 'https://example.org/x', modifiedAt: Date.UTC(2024, 4, 1) }]);
});

test('at most 50,000 entries are read, and other documents are empty', () => {
  const many = `<urlset>${Array.from({ length: 50_010 }, (_, i) => `<url><loc>/p${i}</loc></url>`).join('')}</urlset>`;
  assert.equal(parse(many).pages.length, 50_000);
  assert.equal(parse(many).incomplete, true);
  const list = parse('https://example.org/a\n'.repeat(50_001));
  assert.deepEqual([list.pages.length, list.incomplete], [50_000, true]);
  assert.equal(parse('https://example.org/a\n'.repeat(50_000)).incomplete, undefined);
  for (const junk of ['', '<html><body>404', '{"a":1}', '\0\0\0']) {
    assert.deepEqual(parse(junk), { pages: [], sitemaps: [] }, junk);
  }
});
