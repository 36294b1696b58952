import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { testSeed } from '../../test/helpers/seed.ts';
import { Random } from '../base/mod.ts';
import { canonicalize, canonicalizer, MAX_URL_LENGTH } from './canonical.ts';
import { normalizeEscapes } from './escapes.ts';

const lines = readFileSync(new URL('../../test/fixtures/urls.tsv', import.meta.url), 'utf8').split('\n');

for (const line of lines.filter((each) => each !== '' && !each.startsWith('# '))) {
  const [raw, base, expected, clause] = line.split('\t') as [string, string, string, string];
  test(`${clause}: ${raw}`, () => {
    const written = raw.replace('\\n', '\n');
    const url = base === '-' ? canonicalize(written) : canonicalize(written, base);
    assert.equal(url, expected === '-' ? null : expected);
    if (base !== '-') assert.equal(canonicalizer(base)(written), url, 'with the base parsed once');
    if (url) assert.equal(canonicalize(url), url, 'the canonical form of a canonical form is itself');
  });
}

/**
 * A naive version of `canonicalize`: the steps in the head comment of canonical.ts one after the other,
 * without the scanners.
 */
function naive(raw: string, base?: string): string | null {
  const url = URL.parse(raw.trim(), base);
  if (!url || !/^https?:$/.test(url.protocol)) return null;
  if (/^\.|\.\.|^$/.test(url.host)) return null;
  url.host = url.host.replace(/\.(?=:|$)/, '');
  const session = /;jsessionid=[^/;]*/gi;
  const path = normalizeEscapes(url.pathname).replace(session, '');
  url.pathname = path;
  const dropped =
    /^(utm_\w+|[gd]clid|[gw]braid|fbclid|msclkid|yclid|igshid|mc_[ce]id|_hs(enc|mi)|ref_src|phpsessid|jsessionid|aspsessionid\w*|sessionid|session_id|sid|cfid|cftoken|oscsid|zenid)$/i;
  const query = normalizeEscapes(url.search.slice(1))
    .split('&')
    .filter((parameter) => parameter !== '' && !dropped.test(parameter.replace(/=.*/s, '')));
  const text = `${url.protocol}//${url.host}${url.pathname}${query.length > 0 ? `?${query.join('&')}` : ''}`;
  return text.length > MAX_URL_LENGTH ? null : text;
}

const PIECES = [
  ...[
    'a',
    'b1',
    'Z',
    '.',
    '..',
    '...',
    '/',
    '//',
    '/',
    '/',
    './',
    '../',
    '\\',
    '?',
    '&',
    '=',
    '#',
    ':',
    ';',
    '@',
  ],
  ...[
    '%',
    '%2',
    '%41',
    '%2e',
    '%2F',
    '%C3%BC',
    '%c3',
    '%7E',
    '%zz',
    'é',
    '漢',
    '\ud800',
    '\u00a0',
    ' ',
    '\t',
  ],
  ...[
    '\n',
    "'",
    '"',
    '<',
    '>',
    '`',
    '{',
    '}',
    '|',
    '^',
    '[',
    ']',
    '!',
    '$',
    '(',
    ')',
    '*',
    '+',
    ',',
    '~',
    '_',
  ],
  ...[
    'utm_source=x',
    'sid',
    'sid=1',
    '&gclid=',
    ';jsessionid=7',
    'xn--',
    '-',
    '--',
    '0',
    '0x7f',
    '127',
    ':80',
  ],
  ...[
    ':443',
    ':8080',
    ':0',
    ':65536',
    'org',
    'example.org',
    'http:',
    'https://',
    'HTTPS://',
    'http://',
    'ftp:',
  ],
];
const STARTS = [
  '',
  '',
  '',
  '/',
  '//',
  'https://example.org',
  'http://a.b-c.example/',
  'https://',
  'http://h:81/',
];
const BASES = [
  'https://example.org/a/b/c.html?d=1#e',
  'http://www.example.org:8080',
  'https://example.org./x;jsessionid=1/y',
  'https://u:p@b%C3%BCcher.example/%7e/../z/.q/',
  'http://[2001:db8::1]:80/a//b/',
  'https://example.org/ü/',
  'mailto:someone@example.org',
  'data:text/plain,x',
  'nonsense',
];

test('the fast path equals the full canonicalization on any input', () => {
  const seed = testSeed();
  const random = new Random(seed);
  for (let round = 0; round < 20_000; round++) {
    const tail = Array.from({ length: random.below(8) }, () => random.pick(PIECES)).join('');
    const raw = random.pick(STARTS) + tail;
    const base = random.chance(0.3) ? undefined : random.pick(BASES);
    const message = `seed ${seed}: ${JSON.stringify(raw)} against ${base}`;
    const url = canonicalize(raw, base);
    assert.equal(url, naive(raw, base), message);
    if (url) assert.equal(canonicalize(url), url, message);
  }
});

test('an overlong URL is rejected unless its canonical form is short', () => {
  const long = 'a'.repeat(MAX_URL_LENGTH);
  assert.equal(canonicalize(`http://example.org/${long}`), null);
  assert.equal(canonicalize(`/${long}`, 'http://example.org/'), null);
  assert.equal(canonicalize(`http://example.org/#${long}`), 'http://example.org/');
  assert.equal(canonicalize(`http://example.org/?utm_id=${long}`), 'http://example.org/');
});

test('long host names are kept unchanged', () => {
  for (const host of [`${'a'.repeat(80)}.org`, `${'a.'.repeat(150)}org`]) {
    assert.equal(canonicalize(`http://${host}/`), naive(`http://${host}/`));
  }
});
