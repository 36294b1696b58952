/**
 * Checks that hostile pages take linear time. Each page repeats one pattern up to a quarter of a megabyte.
 * Linear parsing takes some milliseconds, quadratic parsing would take seconds. The test measures CPU time of
 * this thread, so that a busy machine does not matter.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canonicalize } from '../url/mod.ts';
import { parseSitemap } from './formats/sitemap.ts';
import { parsePage } from './parse-page.ts';

const SIZE = 1 << 18;
const MOST_MS = 500;

const PATTERNS = [
  ...[
    '<',
    '</',
    '<!',
    '<!-',
    '<!--',
    '<!-- --',
    '<!--<!',
    '--!',
    '<?',
    '<a',
    '<a ',
    '<a href="',
    '<a href=\'x" ',
    '<a =',
    '<a/',
  ],
  ...[
    '<script>',
    '<script><!--',
    '<script><!--<script></script>',
    '<script><!--</script>',
    '<script></scrip',
    '</script ',
  ],
  ...[
    '<style>',
    '<title>',
    '<title></titl',
    '<textarea>',
    '<noscript>',
    '<noscript><p>',
    '<video></vide',
    '<svg>',
    '<svg><style>',
  ],
  ...[
    '<svg><![CDATA[',
    '<template>',
    '<plaintext>',
    '<div>',
    '<b>',
    '<h1>',
    '<a href=x>',
    '</div>',
    '<p>',
    '<p><b><a href=x>',
  ],
  ...[
    '&',
    '&a',
    '&amp',
    '&#',
    '&#1',
    '&#x',
    '&notinnotin',
    '\u00a0',
    'é',
    '\u00ad',
    ' ',
    '\n\n',
    'word ',
    '\0',
  ],
  ...[
    '<a href=x>y</a>',
    '<a href="#&amp;">',
    '<base href=x>',
    '<meta name=robots content=none>',
    '<img alt="<<&&">',
  ],
];

const PATTERNS_OF_OTHERS = [
  ...[
    '[',
    '![',
    '[a](',
    '[a][b]',
    '[[]](',
    '*',
    '_a ',
    '**a',
    '`',
    '`a``',
    '> ',
    '- ',
    '# ',
    '|',
    'a|',
    '\\',
    '---\n',
    '~~~\n',
  ],
  ...['http://', '<http://', '[a]: x\n', 'a\n===\n', '    a\n', '1. a\n\n'],
  ...[
    '<item>',
    '<item><title>a',
    '<url><loc>http://a/b</loc></url>',
    '<description>',
    '<rss>',
    '<![CDATA[',
    ']]>',
    '</a>',
  ],
  ...[
    '1 0 obj',
    '1 0 obj<<',
    '1 0 obj<</Length 9>>stream\n',
    '1 0 obj[[',
    '(',
    '((',
    '<<',
    '[',
    '<',
    '/',
    'trailer<</Root 1 0 R>>',
  ],
  ...['7 0 obj<</Type/ObjStm/N 9/First 9>>stream\n1 0 2 0 endstream', 'endstream', '1 0 R ', 'BT (a) Tj ET '],
  ...[
    '<p hidden>',
    '<div class=nav>',
    '<nav>',
    '<main>',
    '<article>',
    '<aside><article>',
    '<li>',
    '<td>',
    '<tr><td>',
    '</b>',
  ],
  ...[
    '<div itemscope>',
    '<b itemprop=a>',
    '<i itemscope itemprop=b>',
    '<time datetime=2020>',
    '<p data-nosnippet>x</p>',
  ],
  ...[
    '<div itemscope itemtype=T><b itemprop=a>x</b></div>',
    '<nav>x</nav>',
    '<div class=menu>x</div>',
    '<a href=x>y</a><p>',
  ],
  ...[
    '<script type="application/ld+json">[',
    '<script type="application/ld+json">{"@type":"T","a":1}</script>',
  ],
];

test('other formats and attribute values are parsed in linear time', () => {
  for (const pattern of PATTERNS_OF_OTHERS) {
    assertLinear(pattern.repeat(SIZE / Buffer.byteLength(pattern)), pattern);
  }
});

test('any pattern repeated is read in linear time', () => {
  for (const pattern of PATTERNS) assertLinear(pattern.repeat(SIZE / Buffer.byteLength(pattern)), pattern);
});

test('one enormous tag, attribute or entity is read in linear time', () => {
  const filler = 'x'.repeat(SIZE);
  const spaces = ' '.repeat(SIZE);
  const pages = [
    ...[
      `<${filler}>`,
      `<a ${filler}>`,
      `<a href=${filler}>`,
      `<a href="${filler}">`,
      `<p ${'a=b '.repeat(SIZE / 4)}>`,
    ],
    ...[
      `<meta name=robots content="${spaces}x">`,
      `<meta http-equiv=refresh content="${spaces}">`,
      `<a rel="${spaces}" href=x>`,
    ],
    ...[
      `<meta http-equiv=refresh content="1${';'.repeat(SIZE)}">`,
      `<html lang="${'a-'.repeat(SIZE / 2)}">`,
      `&${filler};`,
    ],
    ...[
      `&#${'1'.repeat(SIZE)};`,
      `<title>${spaces}x</title>`,
      `<meta name=description content="${spaces}x">`,
      `<!DOCTYPE ${filler}>`,
    ],
  ];
  for (const page of pages) assertLinear(page, page.slice(0, 40));
});

test('many different links are read in linear time', () => {
  assertLinear(Array.from({ length: SIZE / 16 }, (_, i) => `<a href=m:${i}>`).join(''), '<a href=m:1>');
});

/**
 * The content types to test. The patterns are made for HTML, but parsers of the other formats must handle
 * them too.
 */
const TYPES = [
  ...['text/html', 'application/xhtml+xml', 'text/plain', 'text/markdown'],
  ...['application/pdf', 'application/rss+xml', 'application/feed+json'],
];

function assertLinear(page: string, name: string): void {
  const body = Buffer.from(page);
  const pdf = Buffer.concat([Buffer.from('%PDF-1.4\n'), body]);
  const url = canonicalize('https://example.org/')!;
  for (const contentType of TYPES) {
    const input = { url, contentType, body: contentType === 'application/pdf' ? pdf : body, xRobotsTag: [] };
    const started = process.threadCpuUsage();
    parsePage(input);
    assertShort(started, `${JSON.stringify(name)} as ${contentType}`);
  }
  const started = process.threadCpuUsage();
  parseSitemap(body, url);
  assertShort(started, `${JSON.stringify(name)} as a sitemap`);
}

function assertShort(started: NodeJS.CpuUsage, name: string): void {
  const { user, system } = process.threadCpuUsage(started);
  const ms = (user + system) / 1000;
  assert.ok(ms < MOST_MS, `${name} took ${ms} ms`);
}
