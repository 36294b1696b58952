import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canonicalize } from '../url/mod.ts';
import { interpretResponse, type ResponseMeaning } from './interpret-response.ts';

const URL_READ = canonicalize('http://example.org/a')!;

function interpret(status: number, headers: Record<string, string>, body = ''): ResponseMeaning {
  const fields = new Map(Object.entries(headers).map(([name, value]) => [name, [value]]));
  return interpretResponse({ status, headers: fields, body: Buffer.from(body) }, URL_READ, 1_000_000);
}

const HTML = { 'content-type': 'text/html' };
const SITEMAP = '<urlset><url><loc>http://example.org/b</loc></url></urlset>';

const CASES: [string, number, Record<string, string>, string, ResponseMeaning['kind']][] = [
  ['HTML', 200, HTML, '<p>Words', 'page'],
  ['404', 404, HTML, '<p>Words', 'gone'],
  ['410', 410, {}, '', 'gone'],
  ['304, even with a location', 304, { location: '/b' }, '', 'unchanged'],
  ['300 without a location', 300, {}, '', 'error'],
  ['403', 403, HTML, '<p>Words', 'error'],
  ['206', 206, HTML, '<p>Words', 'error'],
  ['a sitemap', 200, { 'content-type': 'application/xml' }, SITEMAP, 'sitemap'],
  ['other XML', 200, { 'content-type': 'application/xml' }, '<data/>', 'unreadable'],
  ['a picture', 200, { 'content-type': 'image/png' }, '', 'no page'],
  ['a picture without a content type', 200, {}, 'GIF89a\x01\x00\x01\x00', 'no page'],
  ['HTML in a type that is not fetched', 200, { 'content-type': 'application/zip' }, '<html>', 'no page'],
];

for (const [name, status, headers, body, kind] of CASES) {
  test(`a response is interpreted by status, type and body: ${name}`, () => {
    assert.equal(interpret(status, headers, body).kind, kind);
  });
}

test('a redirect names its target, unless it leads to the same URL or to none', () => {
  const targetOf = (location: string) => interpret(301, { location });
  assert.deepEqual(targetOf('/b'), { kind: 'redirect', to: 'http://example.org/b' });
  assert.deepEqual(targetOf('/a#part'), { kind: 'redirect', to: null });
  assert.deepEqual(targetOf('mailto:a@example.org'), { kind: 'redirect', to: null });
});

test('a page whose end date is over at the time of the response is not indexed', () => {
  const isIndexed = (date: string) => {
    const meaning = interpret(200, { ...HTML, 'x-robots-tag': `unavailable_after: ${date}` }, '<p>Words');
    assert.ok(meaning.kind === 'page');
    return meaning.page.robots.index;
  };
  assert.equal(isIndexed('1969-12-31'), false);
  assert.equal(isIndexed('2100-01-01'), true);
});
