import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canonicalize } from '../../url/mod.ts';
import { isListed } from '../metadata/robots-directives.ts';
import { MarkKind, type Page } from '../page.ts';
import { parsePage } from '../parse-page.ts';
import { readFeedEntries } from './feed.ts';

const url = canonicalize('https://example.org/feed')!;

function parse(body: string, contentType: string): Page | null {
  return parsePage({ url, contentType, body: Buffer.from(body), xRobotsTag: [] });
}

const RSS = `<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0"><channel><title>News &amp; more</title><link>https://example.org/</link>
<description>All the news</description><language>en-us</language>
<atom:link href="https://example.org/feed" rel="self"/>
<item><title>First</title><link>/one?utm_source=rss</link><description>&lt;p&gt;A &lt;b&gt;bold&lt;/b&gt; start&lt;/p&gt;</description>
<pubDate>Wed, 01 May 2024 10:00:00 GMT</pubDate></item>
<item><title><![CDATA[Second <i>one</i>]]></title><guid>https://example.org/two</guid>
<content:encoded><![CDATA[<p>Two &eacute;tudes</p><script>x</script>]]></content:encoded></item>
<item><title>No link</title><guid isPermaLink="false">https://example.org/no</guid></item>
</channel></rss>`;

test('a feed entry has a URL, a title and, if declared, a date', () => {
  const read = (body: string, contentType: string) =>
    readFeedEntries({ url, contentType, body: Buffer.from(body), xRobotsTag: [] });
  assert.deepEqual(read(RSS, 'application/rss+xml'), [
    { url: 'https://example.org/one', title: 'First', publishedAt: Date.UTC(2024, 4, 1, 10) },
    { url: 'https://example.org/two', title: 'Second one' },
  ]);
  const item = { url: '/three', title: 'Third', date_published: '2024-05-02T00:00:00Z' };
  const json = JSON.stringify({ version: 'https://jsonfeed.org/version/1.1', title: 'x', items: [item] });
  assert.deepEqual(read(json, 'application/feed+json'), [
    { url: 'https://example.org/three', title: 'Third', publishedAt: Date.UTC(2024, 4, 2) },
  ]);
  assert.deepEqual(read('<html><p>no feed', 'text/html'), []);
});

test('the items of an RSS feed become links and text', () => {
  const page = parse(RSS, 'application/rss+xml')!;
  assert.deepEqual(
    [page.kind, page.title, page.description, page.language],
    ['feed', 'News & more', 'All the news', 'en-us'],
  );
  assert.equal(isListed(page), false);
  assert.equal(page.text, 'First\nA bold start\nSecond one\nTwo études\nNo link');
  assert.deepEqual(page.marks[0], { start: 0, end: 5, kind: MarkKind.heading2 });
  assert.deepEqual(
    page.links.map((link) => [link.url, link.text]),
    [
      ['https://example.org/one', 'First'],
      ['https://example.org/two', 'Second one'],
      ['https://example.org/', 'News & more'],
    ],
  );
  assert.equal(page.modifiedAt, Date.UTC(2024, 4, 1, 10));
});

test('an Atom feed may contain XHTML, and is recognized by its root element', () => {
  const atom = `<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="de"><title>Neues</title><updated>2024-01-01T00:00:00Z</updated>
    <entry><title type="html">Eins &amp;amp; zwei</title><link rel="enclosure" href="/x.mp3"/><link href="/eins"/>
    <content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>Ein <em>Text</em></p><p>Ende</p></div></content>
    <updated>2024-02-02T00:00:00Z</updated></entry></feed>`;
  const page = parse(atom, 'text/xml; charset=utf-8')!;
  assert.deepEqual([page.kind, page.title, page.language], ['feed', 'Neues', 'de']);
  assert.equal(page.text, 'Eins & zwei\nEin Text Ende');
  assert.deepEqual(
    page.links.map((link) => link.url),
    ['https://example.org/eins'],
  );
  assert.equal(page.modifiedAt, Date.UTC(2024, 1, 2));
});

test('the items of a JSON feed become links and text', () => {
  const items = [
    { id: '1', url: '/a', title: 'A', content_html: '<p>Words</p>', date_published: '2024-03-03T00:00:00Z' },
    { id: '2', url: '/b', content_text: '1 < 2 & so on' },
    'broken',
  ];
  const json = JSON.stringify({ version: 'https://jsonfeed.org/version/1.1', title: 'J', items });
  const page = parse(json, 'application/feed+json')!;
  assert.equal(page.text, 'A\nWords\n1 < 2 & so on');
  assert.deepEqual(
    page.links.map((link) => link.url),
    ['https://example.org/a', 'https://example.org/b'],
  );
  assert.equal(page.modifiedAt, Date.UTC(2024, 2, 3));
});

test('XHTML is a page, and other XML and JSON are not', () => {
  assert.equal(parse('<urlset><url><loc>https://example.org/</loc></url></urlset>', 'application/xml'), null);
  assert.equal(parse('{"version": 1}', 'application/feed+json'), null);
  assert.equal(parse('not json', 'application/feed+json'), null);
  const xhtml =
    '<?xml version="1.0"?><!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml"><p>a</p><p/></html>';
  const page = parse(xhtml, 'application/xml')!;
  assert.deepEqual([page.contentType, page.kind, page.text], ['application/xhtml+xml', undefined, 'a']);
});

test('a truncated feed gives the items before the end', () => {
  const page = parse(RSS.slice(0, RSS.indexOf('Two &eacute;')), 'application/rss+xml')!;
  assert.deepEqual(
    page.links.map((link) => link.text),
    ['First', 'Second one', 'News & more'],
  );
});
