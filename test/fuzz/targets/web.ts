/** Targets with the responses of hosts to a crawl: responses, robots.txt, sitemaps and URLs. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { systemClock } from '../../../src/base/mod.ts';
import { AddressGuard, LOOPBACK } from '../../../src/crawl/fetch/address-guard.ts';
import { Fetcher } from '../../../src/crawl/fetch/fetcher.ts';
import { Resolver } from '../../../src/crawl/fetch/resolver.ts';
import { readResponse } from '../../../src/crawl/parsing/read-response.ts';
import { parseRobots, robotsVerdict } from '../../../src/crawl/robots/robots-rules.ts';
import { decodeBody } from '../../../src/page/content-coding.ts';
import { parseSitemap } from '../../../src/page/formats/sitemap.ts';
import {
  type CanonicalUrl,
  canonicalize,
  createScope,
  createUrlRules,
  hostOf,
} from '../../../src/url/mod.ts';
import { parseSiteRules } from '../../../src/url/site-rules.ts';
import { parseUrlList } from '../../../src/url/url-list.ts';
import { allowRefusal, checkValue, type FuzzTarget, texts } from '../target.ts';

const ADDRESS = canonicalize('https://example.org/a/')!;
const MAX_BODY_BYTES = 1 << 20;
const CODINGS = [
  'gzip',
  'deflate',
  'br',
  'zstd',
  'deflate, gzip',
  'x-gzip',
  'identity',
  'gzip, gzip, gzip, br',
];
const BODY = Buffer.from('<title>Tides</title><p>The moon pulls the sea. '.repeat(40));

/** The server that sends the input as its response. */
let sender: { server: Server; fetcher: Fetcher; port: number; bytes: Buffer } | null = null;

async function openSender() {
  const guard = new AddressGuard(LOOPBACK);
  const resolver = new Resolver({ '*.test': '127.0.0.1' }, guard, systemClock);
  const fetcher = new Fetcher({
    ...{ userAgent: 'Gyre/test', guard, resolver, clock: systemClock },
    ...{ timeLimitMs: 400, maxBodyBytes: MAX_BODY_BYTES },
  });
  const made = { server: createServer(), fetcher, port: 0, bytes: Buffer.alloc(0) };
  made.server.on('connection', (socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.end(made.bytes));
  });
  made.server.listen(0, '127.0.0.1');
  await once(made.server, 'listening');
  made.port = (made.server.address() as AddressInfo).port;
  return made;
}

const urlRules = createUrlRules({}, createScope('web', [], []));

export const WEB_TARGETS: readonly FuzzTarget[] = [
  {
    name: 'http',
    about:
      'the bytes of a response from a socket: the fetch ends with an outcome, and the response is parsed',
    seeds: () => [
      ...texts(
        'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 24\r\n\r\n<title>a</title><p>text\n',
        'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\nX-Robots-Tag: noindex\r\n\r\n5\r\n<p>ab\r\n3;x=y\r\ncde\r\n0\r\nTrailer: t\r\n\r\n',
        'HTTP/1.1 301 Moved\r\nLocation: /other\r\nContent-Length: 0\r\n\r\n',
        'HTTP/1.0 404 Not Found\r\n\r\ngone',
        'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 304 Not Modified\r\nETag: "x"\r\nSet-Cookie: a=b\r\n\r\n',
        'HTTP/1.1 429 Slow\r\nRetry-After: 120\r\nDate: Thu, 29 Feb 2024 10:00:00 GMT\r\nLast-Modified: x\r\nContent-Length: 0\r\n\r\n',
      ),
      Buffer.concat([
        Buffer.from('HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\n\r\n'),
        gzipSync(BODY),
      ]),
    ],
    words: [
      '\r\n',
      '\r\n\r\n',
      'Content-Length: ',
      'Transfer-Encoding: chunked\r\n',
      'Content-Encoding: br\r\n',
      'Location: http://169.254.169.254/\r\n',
      'HTTP/1.1 ',
      ' folded\r\n',
      '0\r\n\r\n',
      'Connection: upgrade\r\n',
      'Retry-After: ',
      'X-Robots-Tag: ',
    ],
    async run(input) {
      sender ??= await openSender();
      sender.bytes = input;
      const url = canonicalize(`http://fuzz.test:${sender.port}/`) as CanonicalUrl;
      const outcome = await sender.fetcher.fetch(url, () => true);
      if (outcome.kind !== 'response') return;
      const { status, statusText, rawHeaders, payload } = outcome;
      const fetched = {
        url,
        depth: 0,
        isIndexed: true,
        fetchedAt: 0,
        requestHead: '',
        ipAddress: '127.0.0.1',
      };
      checkValue(
        readResponse(
          { ...fetched, status, statusText, rawHeaders, payload },
          { urlRules, maxBodyBytes: MAX_BODY_BYTES },
        ).page,
      );
    },
    async close() {
      await sender?.fetcher.close();
      sender?.server.close();
      sender = null;
    },
  },
  {
    name: 'content-coding',
    about: 'a compressed body: the decoded body is not larger than the limit',
    seeds: () =>
      [
        gzipSync(BODY),
        deflateSync(BODY),
        brotliCompressSync(BODY),
        zstdCompressSync(BODY),
        gzipSync(deflateSync(BODY)),
        gzipSync(BODY),
        BODY,
        deflateRawSync(BODY),
      ].map((bytes, at) => Buffer.concat([Buffer.from([at]), bytes])),
    run(input) {
      const decoded = decodeBody(
        input.subarray(1),
        CODINGS[(input[0] ?? 0) % CODINGS.length]!,
        MAX_BODY_BYTES,
      );
      if (decoded.kind === 'decoded') assert.ok(decoded.body.length <= MAX_BODY_BYTES);
    },
  },
  {
    name: 'robots',
    about: 'robots.txt: every file gives rules, which decide about every path',
    seeds: () =>
      texts(
        'User-agent: *\nDisallow: /a\nAllow: /a/b$\nCrawl-delay: 2.5\nSitemap: https://example.org/s.xml\n\nUser-agent: Gyre\nUser-agent: other # c\nDisallow: /*.pdf$\nDisallow: /x*y*z\nRequest-rate: 1/5',
        '\ufeffuser-agent:gyre/1.0\rdisallow:/%7Ea\rallow:/ä\r\ncrawl-delay: 1e9\nDisallow:\n',
      ),
    words: [
      'User-agent: *\n',
      'User-agent: Gyre\n',
      'Disallow: ',
      'Allow: ',
      'Crawl-delay: ',
      'Sitemap: ',
      '*',
      '$',
      '%2F',
      '%',
      '#',
      '\r',
      ':',
    ],
    run(input) {
      const { rules, crawlDelayMs, sitemaps } = parseRobots(input, 'Gyre/0.1');
      assert.ok(
        crawlDelayMs === null || (Number.isFinite(crawlDelayMs) && crawlDelayMs >= 0),
        `delay ${crawlDelayMs}`,
      );
      assert.ok(sitemaps.length <= 1_000);
      assert.equal(robotsVerdict(rules, '/robots.txt').allowed, true);
      for (const path of ['/', '/a/b', '/x1y2z', `/${input.subarray(0, 200).toString('latin1')}`])
        robotsVerdict(rules, path);
    },
  },
  {
    name: 'sitemap',
    about: 'a sitemap, compressed or not: all URLs in it are canonical',
    seeds: () => {
      const xml = Buffer.from(
        '<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://example.org/a?b=1&amp;c</loc><lastmod>2024-02-29</lastmod><changefreq>daily</changefreq><priority>0.5</priority><news:news><news:title>t</news:title><news:publication_date>2024-01-01T00:00Z</news:publication_date></news:news><xhtml:link rel="alternate" hreflang="de" href="/de"/></url></urlset>',
      );
      return [
        xml,
        gzipSync(xml),
        ...texts(
          '<sitemapindex><sitemap><loc>https://example.org/s.xml.gz</loc><lastmod>2024</lastmod></sitemap></sitemapindex>',
          'https://example.org/1\nhttps://example.org/2\r\n',
        ),
      ];
    },
    words:
      '<url> </url> <loc> </loc> <sitemap> <lastmod> <urlset> <sitemapindex> <![CDATA[ ]]> <!-- --> &amp; &#x <xhtml:link hreflang= <?xml'.split(
        ' ',
      ),
    run(input) {
      const { pages, sitemaps } = parseSitemap(input, ADDRESS);
      checkValue([pages, sitemaps]);
      for (const { url } of [...pages, ...sitemaps]) assert.equal(canonicalize(url), url);
    },
  },
  {
    name: 'url',
    about: 'a URL: its canonical form is its own canonical form, and is HTTP',
    seeds: () =>
      texts(
        'https://EXAMPLE.org:443/a/../b/./c%7e?x=1&utm_source=y#z',
        '//b.test/ä?q=%C3%A4',
        'http://0x7f.1/',
        'http://user:pw@[::1]:8080/',
        'http://xn--mnchen-3ya.de/%2e%2e/',
        '../../up?a[]=b;c',
        'http://bücher.example。/',
      ),
    words: [
      '%00',
      '%2F',
      '%',
      '\\',
      '//',
      '@',
      ':',
      '?',
      '#',
      '..',
      '。',
      'xn--',
      '[',
      ']',
      '::',
      '0x',
      '\t',
      '\n',
      'javascript:',
      'data:',
      'file:',
      'utm_source=',
      'ß',
      '\u200d',
      '\ufe0f',
    ],
    run(input) {
      const text = input.toString('utf8');
      for (const raw of [text, `http://${text}/`, `/${text}`]) {
        const url = canonicalize(raw, ADDRESS);
        if (!url) continue;
        assert.match(url, /^https?:\/\/[^/\s]+\//);
        assert.equal(canonicalize(url), url);
        assert.doesNotMatch(url, /[\r\n\t #]/);
        hostOf(url);
      }
    },
  },
  {
    name: 'lists',
    about: 'lists of URLs and of the rules of searchers',
    seeds: () =>
      texts(
        '# comment\nads.example\n*.track.example\nhttps://a.example/path/\nshop word\n',
        'block spam.example\nlower a.example\npin b.example # why\nraise *.edu\n',
      ),
    words: ['block ', 'pin ', 'raise ', 'normal ', '*.', '#', '\r\n', '||ads.example^'],
    async run(input) {
      await allowRefusal(() => parseUrlList(input.toString('utf8')));
      checkValue(parseSiteRules(input.toString('utf8')));
    },
  },
];
