import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testSeed } from '../../../test/helpers/seed.ts';
import { Random } from '../../base/mod.ts';
import { canonicalize } from '../../url/mod.ts';
import { AddressResolver } from './address-resolver.ts';

const BASES = [
  'https://example.org/dir/page.html',
  'http://example.org/',
  'https://a-b.example.org/x/y/',
  'https://example.org:8443/x',
  'https://127.0.0.1/x',
  'https://xn--bcher-kva.example/x',
  'https://example.org/a%20b/c?d=e',
  'https://localhost/x',
];

const PARTS = [
  ...[
    '/',
    '//',
    '.',
    '..',
    './',
    '../',
    'a',
    'B',
    '7',
    '-',
    '_',
    '~',
    'index.html',
    'a.b',
    '?',
    '?a=b',
    '#',
    '%20',
  ],
  ...[
    'http:',
    'https:',
    'https://',
    'example',
    '.org',
    '.com',
    '.1',
    ':80',
    ':443',
    '@',
    'xn--',
    'é',
    ' ',
    '\\',
    ';',
    '0x1',
  ],
];

test('the fast resolver equals canonicalize on all kinds of URLs', () => {
  const seed = testSeed();
  const random = new Random(seed);
  for (let round = 0; round < 20_000; round++) {
    const base = canonicalize(random.pick(BASES))!;
    const address = Array.from({ length: random.between(1, 7) }, () => random.pick(PARTS)).join('');
    assert.equal(
      new AddressResolver(base).resolve(address),
      canonicalize(address, base),
      `seed ${seed}: ${JSON.stringify(address)} from ${base}`,
    );
  }
});

test('a base element counts if it is a web URL', () => {
  const url = canonicalize('https://example.org/dir/page.html')!;
  assert.equal(new AddressResolver(url, '/up/').resolve('x'), 'https://example.org/up/x');
  assert.equal(new AddressResolver(url, 'mailto:x').resolve('x'), 'https://example.org/dir/x');
});
