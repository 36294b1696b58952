/**
 * Hostile pages take linear time. Each is a megabyte of one pattern; read in linear time it costs
 * some tens of milliseconds, while anything quadratic would cost seconds. CPU time of this
 * thread is measured, so that a busy machine does not matter.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canonicalize } from '../url/mod.ts';
import { parsePage } from './mod.ts';

const SIZE = 1 << 20;
const MOST_MS = 1000;

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

function assertLinear(page: string, name: string): void {
  const body = Buffer.from(page);
  const started = process.threadCpuUsage();
  for (const contentType of ['text/html', 'application/xhtml+xml', 'text/plain']) {
    parsePage({ url: canonicalize('https://example.org/')!, contentType, body, xRobotsTag: [] });
  }
  const { user, system } = process.threadCpuUsage(started);
  const ms = (user + system) / 1000;
  assert.ok(ms < MOST_MS, `${JSON.stringify(name)} took ${ms} ms`);
}
