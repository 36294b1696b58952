import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CanonicalUrl, hostOf } from '../../url/mod.ts';
import { describeTarget, parseRemovalTarget, RemovedUrls } from './removed-urls.ts';

const PARSED: [text: string, kind: string, value: string][] = [
  ['https://Example.org/a/../b', 'url', 'https://example.org/b'],
  ['http://example.org', 'url', 'http://example.org/'],
  ['example.org/page', 'url', 'https://example.org/page'],
  ['https://example.org/private/*', 'prefix', 'https://example.org/private/'],
  ['https://example.org/*', 'prefix', 'https://example.org/'],
  ['Example.org', 'host', 'example.org'],
  ['*.example.org', 'host', '*.example.org'],
  ['127.0.0.1:8080', 'host', '127.0.0.1:8080'],
];

for (const [text, kind, value] of PARSED) {
  test(`${text} names a ${kind}`, () => {
    assert.deepEqual(parseRemovalTarget(text), { kind, value });
  });
}

for (const text of ['', 'no address', 'ftp://example.org/', 'https://', '*', '*.com']) {
  test(`"${text}" is no target`, () => {
    assert.throws(() => parseRemovalTarget(text), { code: 'bad-target' });
  });
}

const MATCHES: [target: string, url: string, isRemoved: boolean][] = [
  ['https://example.org/a', 'https://example.org/a', true],
  ['https://example.org/a', 'http://example.org/a', true],
  ['https://example.org/a', 'https://example.org/ab', false],
  ['https://example.org/a', 'https://example.org:8443/a', false],
  ['https://example.org/a*', 'https://example.org/ab', true],
  ['https://example.org/a*', 'https://example.org/b', false],
  ['example.org', 'https://example.org:8443/a', true],
  ['example.org', 'https://www.example.org/', false],
  ['*.example.org', 'https://www.example.org/', true],
  ['*.example.org', 'https://notexample.org/', false],
  ['127.0.0.1:8080', 'http://127.0.0.1:8080/a', true],
  ['127.0.0.1:8080', 'http://127.0.0.1:8081/a', false],
];

for (const [target, url, isRemoved] of MATCHES) {
  test(`${target} ${isRemoved ? 'covers' : 'does not cover'} ${url}`, () => {
    const removed = new RemovedUrls([parseRemovalTarget(target)]);
    assert.equal(removed.matches(url as CanonicalUrl), isRemoved);
    if (isRemoved) assert.ok(removed.mayMatch(hostOf(url as CanonicalUrl)), 'a scan looks at the host');
  });
}

test('a host without rules is skipped by scans, and a host rule covers its origin', () => {
  const targets = ['https://example.org/a', 'removed.example'].map(parseRemovalTarget);
  const removed = new RemovedUrls(targets);
  assert.equal(removed.mayMatch('other.example'), false);
  assert.equal(removed.coversHost('https://removed.example:81'), true);
  assert.equal(removed.coversHost('https://example.org'), false);
  assert.equal(new RemovedUrls([]).isEmpty, true);
});

test('a target is shown as people type it', () => {
  for (const text of ['https://example.org/a', 'https://example.org/a*', '*.example.org'])
    assert.equal(describeTarget(parseRemovalTarget(text)), text);
});
