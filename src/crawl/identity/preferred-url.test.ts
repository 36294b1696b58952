import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CanonicalUrl, canonicalize } from '../../url/mod.ts';
import { isPreferredUrl } from './preferred-url.ts';

const english = { canonical: null, language: 'en' };
const url = (address: string) => canonicalize(address)!;

/** Asserts that the first URL is preferred, regardless of the order of fetching. */
function assertPreferred(
  better: string,
  worse: string,
  page: Parameters<typeof isPreferredUrl>[2] = english,
  linkedness?: (url: CanonicalUrl) => number,
): void {
  assert.ok(isPreferredUrl(url(better), url(worse), page, linkedness), `${better} over ${worse}`);
  assert.ok(!isPreferredUrl(url(worse), url(better), page, linkedness), `not ${worse} over ${better}`);
}

test('the URL in the language of the text is preferred', () => {
  assertPreferred('http://a.test/manual/en/mod/core.html', 'http://a.test/manual/da/mod/core.html');
  assertPreferred('http://a.test/en-US/index.html', 'http://a.test/cs-CZ/');
});

test('the version that hreflang lists for the language of the text is preferred', () => {
  const alternates = [
    { url: url('http://a.test/long/path/b'), language: 'en' },
    { url: url('http://a.test/c'), language: 'fr' },
  ];
  assertPreferred('http://a.test/long/path/b', 'http://a.test/c', { ...english, alternates });
});

test('the canonical URL stays', () => {
  const page = { ...english, canonical: url('http://a.test/shop/item?id=1') };
  assert.ok(!isPreferredUrl(url('http://a.test/i'), url('http://a.test/shop/item?id=1'), page));
});

test('links decide if one URL has far more of them', () => {
  const linkedness = (link: CanonicalUrl) => (link.includes('stable') ? 9 : 4);
  assertPreferred('http://a.test/stable/x', 'http://a.test/1.2/x', english, linkedness);
  assertPreferred('http://a.test/', 'http://a.test/index.html', english, (link) => link.length);
});

test('the home page is preferred to another name of it that has more links', () => {
  const linkedness = (link: CanonicalUrl) => (link.includes('contents') ? 9 : 1);
  assertPreferred('http://a.test/', 'http://a.test/contents.html', english, linkedness);
  assertPreferred('http://a.test/contents.html', 'http://a.test/?page=1', english, linkedness);
});

test('without other evidence the simpler URL is preferred', () => {
  assertPreferred('https://a.test/x/y', 'http://a.test/x');
  assertPreferred('http://a.test/x/y', 'http://a.test/x?C=M');
  assertPreferred('http://a.test/x', 'http://a.test/x/y');
  assertPreferred('http://a.test/a', 'http://a.test/b');
});
