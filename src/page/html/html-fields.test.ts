/** Tests the fields of `Page` that come from markup, such as dates and alternates. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canonicalize } from '../../url/mod.ts';
import type { Page } from '../page.ts';
import type { PageInput } from '../page-input.ts';
import { parsePage } from '../parse-page.ts';

const url = canonicalize('https://example.org/dir/page.html')!;

function parse(body: string, headers: Partial<PageInput> = {}): Page {
  const page = parsePage({
    url,
    contentType: 'text/html',
    body: Buffer.from(body),
    xRobotsTag: [],
    ...headers,
  });
  assert.ok(page);
  return page;
}

/** Returns the text of the page in each range. */
function cited({ text }: Page, ranges: [number, number][] | undefined): string[] {
  return (ranges ?? []).map(([start, end]) => text.slice(start, end));
}

test('a page without metadata has no optional fields', () => {
  const keys = Object.keys(parse('<p>word'));
  assert.deepEqual(keys.sort(), [
    ...['canonical', 'contentType', 'description', 'language', 'links', 'marks', 'robots', 'text', 'title'],
  ]);
});

test('labels for adults are read from the page and from its header', () => {
  const rta = 'RTA-5042-1996-1400-1577-RTA';
  assert.equal(parse(`<meta name="RATING" content="${rta}">a`).rating, 'adult');
  assert.equal(parse('<meta name=rating content=Mature>a').rating, 'mature');
  assert.equal(parse('<meta name=rating content=general>a').rating, undefined);
  assert.equal(parse('a', { rating: rta }).rating, 'adult');
});

test('hidden elements give no text, but their links are followed', () => {
  const page = parse(
    'a<p hidden>b <b>c</b><a href=x>d</a></p>e<span hidden="">f</span><img hidden alt=g src=i>h',
  );
  assert.equal(page.text, 'a\ne h');
  assert.equal(page.links.length, 1);
});

test('an unclosed element, hidden=until-found and a hidden body hide nothing', () => {
  assert.equal(parse('a<section hidden>b').text, 'a\nb');
  assert.equal(parse('a<p hidden=until-found>b</p>').text, 'a\nb');
  assert.equal(parse('<body hidden>a</body>').text, 'a');
});

test('a hidden element hides only its own content, also in broken markup', () => {
  assert.equal(parse('<div hidden>a<div>b</div>c</div>d').text, 'd');
  assert.equal(parse('<ul><li hidden>a<li>b</ul>c').text, 'b\nc');
  assert.equal(parse('<p hidden>a<div>b</div></p>').text, 'b');
  assert.equal(parse('<div><span hidden>a</div>b</span>c').text, 'bc');
  assert.equal(parse('<table><tr><td hidden>a<td>b<tr><td>c</table>').text, 'b\nc');
});

test('data-nosnippet passages are recorded as ranges', () => {
  const page = parse('<p>one <span data-nosnippet>two</span> three<div data-nosnippet>four<p>five</div>six');
  assert.deepEqual(cited(page, page.noSnippet), ['two', 'four\nfive']);
  assert.deepEqual(cited(parse('a<div data-nosnippet>b'), parse('a<div data-nosnippet>b').noSnippet), ['b']);
});

test('dates come from structured data, meta elements, time elements and headers, in this order', () => {
  const day = (time: number | undefined) => time && new Date(time).toISOString().slice(0, 10);
  const json = '<script type="application/ld+json">{"@type":"Article","datePublished":"2021-01-01"}</script>';
  const meta = '<meta property="article:published_time" content="2022-02-02T10:00:00+01:00">';
  const time = '<time datetime="2023-03-03">x</time>';
  assert.equal(day(parse(json + meta + time).publishedAt), '2021-01-01');
  assert.equal(day(parse(meta + time).publishedAt), '2022-02-02');
  assert.equal(day(parse(time).publishedAt), '2023-03-03');
  assert.equal(parse(time + time).publishedAt, undefined);
  assert.equal(
    day(parse(`${time}${time}<time class="dt-published" datetime="2020-01-02">`).publishedAt),
    '2020-01-02',
  );
  const lastModified = 'Wed, 21 Oct 2015 07:28:00 GMT';
  assert.equal(day(parse('x', { lastModified }).modifiedAt), '2015-10-21');
  assert.equal(
    day(parse('<meta name=last-modified content=2016-01-01>', { lastModified }).modifiedAt),
    '2016-01-01',
  );
});

test('alternate, icon and canonical links of head and headers are resolved', () => {
  const page = parse(
    '<link rel=alternate hreflang=de-AT href=/de><link rel=alternate type="application/rss+xml" href=feed>' +
      '<link rel="alternate stylesheet" href=x.css><link rel="shortcut icon" href=/i.ico><link rel=canonical href=/c>x',
    { linkHeader: ['</fr>; rel="alternate"; hreflang="fr", </pdf>; rel=canonical'] },
  );
  assert.deepEqual(page.alternates, [
    { url: 'https://example.org/de', language: 'de-at' },
    { url: 'https://example.org/dir/feed', type: 'application/rss+xml' },
    { url: 'https://example.org/fr', language: 'fr' },
  ]);
  assert.equal(page.favicon, 'https://example.org/i.ico');
  assert.equal(page.canonical, 'https://example.org/c');
  const headers = { linkHeader: ['<//other.example/a,b>; title="x, y"; rel="next CANONICAL"'] };
  assert.equal(parse('x', headers).canonical, 'https://other.example/a,b');
  assert.equal(parse('x', { linkHeader: ['<<<', '', ';;', '<page.html>; rel=canonical'] }).canonical, null);
});

test('Open Graph fields that repeat title or description are dropped', () => {
  const page = parse(
    '<title>T</title><meta property=og:title content=T><meta property=og:type content=article>' +
      '<meta property=og:image content=/i.png><meta property=og:site_name content=" My\n site "><meta property=og:type content=no>',
  );
  assert.deepEqual(page.openGraph, {
    type: 'article',
    image: 'https://example.org/i.png',
    site_name: 'My site',
  });
});

test('rel values are kept except those that concern only browsers', () => {
  const page = parse(
    '<a href=a rel="noopener NEXT">x</a><a href=b rel="nofollow ugc">x</a><a href=c rel=nofollow>x</a>',
  );
  assert.deepEqual(
    page.links.map(({ rel, nofollow }) => [rel, nofollow]),
    [
      ['next', false],
      ['ugc', true],
      [undefined, true],
    ],
  );
});

test('JSON-LD of any shape becomes items with dotted properties', () => {
  const json = {
    '@context': 'https://schema.org',
    '@graph': [
      {
        '@type': ['Product', 'Thing'],
        name: 'Lamp',
        offers: [{ '@type': 'Offer', price: 12.5 }, { price: '13' }],
      },
      { '@type': 'http://schema.org/Person', name: { '@value': 'Ann', '@language': 'en' }, isAlive: true },
      { '@id': 'no type' },
    ],
  };
  assert.deepEqual(parse(`<script type="application/ld+json">${JSON.stringify(json)}</script>x`).structured, [
    { type: 'Product', source: 'json-ld', properties: { name: ['Lamp'], 'offers.price': ['12.5', '13'] } },
    { type: 'Person', source: 'json-ld', properties: { name: ['Ann'], isAlive: ['true'] } },
  ]);
  for (const broken of ['{', '[[[[', '"text"', 'null', '{"@type":5}', '{"@type":"X"}']) {
    assert.equal(
      parse(`<script type="application/ld+json">${broken}</script>x`).structured,
      undefined,
      broken,
    );
  }
});

test('microdata gives the same items, nested ones and values in attributes included', () => {
  const page = parse(
    '<div itemscope itemtype="https://schema.org/Recipe"><h1 itemprop=name>Soup <b>of</b> peas</h1>' +
      '<div itemprop=author itemscope itemtype=https://schema.org/Person><span itemprop=name>Ann</span></div>' +
      '<time itemprop=datePublished datetime=2020-05-06>May</time><meta itemprop=yield content=4><a itemprop=url href=/soup>x</a>' +
      '<p itemprop=recipeIngredient>Peas<p itemprop=recipeIngredient>Salt</div><p itemprop=stray>no</p>',
  );
  assert.deepEqual(page.structured, [
    {
      type: 'Recipe',
      source: 'microdata',
      properties: {
        name: ['Soup of peas'],
        'author.name': ['Ann'],
        datePublished: ['2020-05-06'],
        yield: ['4'],
        url: ['/soup'],
        recipeIngredient: ['Peas', 'Salt'],
      },
    },
  ]);
  assert.equal(page.publishedAt, Date.UTC(2020, 4, 6));
});

test('RDFa Lite gives the same items, and Open Graph is not taken for it', () => {
  const page = parse(
    '<meta property="og:title" content="no"><div vocab="https://schema.org/" typeof=JobPosting resource="#j1"><h1 property=title>Potter</h1>' +
      '<div property=hiringOrganization typeof=schema:Organization><b property=schema:name>Kiln</b></div>' +
      '<time property=datePosted datetime=2026-01-02>today</time></div>',
  );
  assert.deepEqual(page.structured, [
    {
      type: 'JobPosting',
      source: 'rdfa',
      id: '#j1',
      properties: { title: ['Potter'], 'hiringOrganization.name': ['Kiln'], datePosted: ['2026-01-02'] },
    },
  ]);
});

test('structured data is bounded', () => {
  const thing = (i: number) => ({
    '@type': 'T',
    name: `n${i}`,
    text: 'x'.repeat(3000),
    ...{ list: Array(50).fill(i) },
  });
  const things = Array.from({ length: 100 }, (_, i) => thing(i));
  const page = parse(`<script type="application/ld+json">${JSON.stringify(things)}</script>x`);
  assert.ok(page.structured!.length <= 50);
  assert.ok(JSON.stringify(page.structured).length < 50_000);
  const properties = Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`p${i}`, 'v']));
  const wide = parse(
    `<script type="application/ld+json">${JSON.stringify({ '@type': 'T', ...properties })}</script>`,
  );
  assert.equal(Object.keys(wide.structured![0]!.properties).length, 40);
});
