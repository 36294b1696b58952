import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CanonicalUrl, canonicalize } from './canonical.ts';
import {
  entryDirectoryOf,
  fingerprint,
  hostOf,
  isEntryUrl,
  isPublicSuffix,
  localityKey,
  originOf,
  pathOf,
  registrableDomain,
} from './parts.ts';
import { createScope } from './scope.ts';

const url = (raw: string): CanonicalUrl => canonicalize(raw)!;

test('a URL is cut into origin, host and path', () => {
  const example = url('https://www.example.org:8443/a/b?c=1');
  assert.equal(originOf(example), 'https://www.example.org:8443');
  assert.equal(hostOf(example), 'www.example.org');
  assert.equal(pathOf(example), '/a/b?c=1');
  const hosts = [
    'http://[::1]/a:b]',
    'http://[::1]:81/a:b]',
    'http://a.example/x:1',
    'http://a.example:81/x:1',
  ];
  assert.deepEqual(hosts.map(url).map(hostOf), ['[::1]', '[::1]', 'a.example', 'a.example']);
});

test('the registrable domain follows the public suffix list', () => {
  assert.equal(registrableDomain('www.example.co.uk'), 'example.co.uk');
  assert.equal(registrableDomain('me.github.io'), 'me.github.io');
  assert.equal(registrableDomain('127.0.0.1'), '127.0.0.1');
  assert.equal(registrableDomain('localhost'), 'localhost');
});

test('a public suffix is shared, and a private name is not', () => {
  for (const name of ['com', 'co.uk', 'github.io']) assert.ok(isPublicSuffix(name), name);
  for (const name of ['example.com', 'corp', 'localhost', '127.0.0.1', ''])
    assert.ok(!isPublicSuffix(name), name);
});

test('fingerprints never change and do not depend on earlier calls', () => {
  const known: [string, bigint][] = [
    ['https://example.org/', 584034471902640697n],
    ['http://[::1]:8080/', 1789837438732563258n],
    ['https://example.org/a?b=1', 584010014360549319n],
    ['https://example.org:8443/a', 583926429451464986n],
    ['https://example.org/', 584034471902640697n],
  ];
  for (const [raw, expected] of known) assert.equal(fingerprint(url(raw)), expected, raw);
});

test('fingerprints of a host share their first 16 bits and fit a signed 64-bit integer', () => {
  const prints = ['/', '/a', '/b?c=1'].map((path) => fingerprint(url(`https://example.org${path}`)));
  assert.equal(new Set(prints).size, 3);
  assert.equal(new Set(prints.map((print) => BigInt.asUintN(64, print) >> 48n)).size, 1);
  for (const print of prints) assert.equal(BigInt.asIntN(64, print), print);
});

test('a hundred thousand pages of one host do not collide', () => {
  const prints = new Set<bigint>();
  for (let page = 0; page < 100_000; page++) prints.add(fingerprint(url(`https://example.org/p/${page}`)));
  assert.equal(prints.size, 100_000);
});

test('the locality key brings hosts of a domain together', () => {
  const urls = [
    'https://b.example/1',
    'https://www.a.example/2',
    'https://a.example/3',
    'https://www.a.example/1',
  ];
  const sorted = urls.map(url).sort((a, b) => (localityKey(a) < localityKey(b) ? -1 : 1));
  assert.deepEqual(sorted, [
    'https://a.example/3',
    'https://www.a.example/1',
    'https://www.a.example/2',
    'https://b.example/1',
  ]);
});

test('an entry page is a directory or its start file', () => {
  const paths = [
    '/',
    '/guide/',
    '/guide/index.en.html',
    '/Default.aspx',
    '/guide',
    '/main.html',
    '/reindex.html',
  ];
  assert.deepEqual(paths.map(entryDirectoryOf), ['/', '/guide/', '/guide/', '/', null, null, null]);
  assert.ok(!isEntryUrl(url('https://a.example/?q=1')), 'the results of a search are no entry page');
});

test('a scope holds hosts, domains, or everything', () => {
  const seeds = [url('https://www.example.org/start')];
  const inHost = createScope('host', seeds, ['extra.test']);
  const inDomain = createScope('domain', seeds, []);
  assert.ok(inHost.includes(url('http://www.example.org/x')));
  assert.ok(!inHost.includes(url('https://example.org/')));
  assert.ok(inHost.includes(url('https://deep.extra.test/')));
  assert.ok(!inHost.includes(url('https://notextra.test/')));
  const withPort = createScope('host', seeds, ['localhost:8090']);
  assert.ok(withPort.includes(url('http://a.localhost:8090/')));
  assert.ok(!withPort.includes(url('http://a.localhost:9999/')));
  assert.ok(inDomain.includes(url('https://docs.example.org/')));
  assert.ok(!inDomain.includes(url('https://example.com/')));
  assert.ok(createScope('web', seeds, []).includes(url('https://example.com/')));
});
