import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { canonicalize, createScope, createUrlRules, fingerprint } from '../../url/mod.ts';
import { type FetchedResponse, readResponse, urlsOf } from './read-response.ts';

const URL_READ = canonicalize('http://a.test/page')!;
const urlRules = createUrlRules(
  {
    rules: [{ name: 'no tags', verb: 'ignore', prefix: ['/tags/'] }],
  },
  createScope('host', [URL_READ], []),
);
const options = { urlRules, maxBodyBytes: 10_000 };

function answer(
  body: string | Buffer,
  headers: string[] = [],
  more: Partial<FetchedResponse> = {},
): FetchedResponse {
  return {
    url: URL_READ,
    depth: 1,
    isIndexed: true,
    fetchedAt: 0,
    status: 200,
    statusText: 'OK',
    rawHeaders: ['Content-Type', 'text/html', ...headers],
    payload: Buffer.from(body),
    requestHead: '',
    ipAddress: '',
    ...more,
  };
}

test('a page has its links that the URL rules allow, once each', () => {
  const html = `<p>Words <a href=/a>a</a> <a href=/a>again</a> <a href=/tags/x>tags</a>
    <a href=http://b.test/>elsewhere</a> <a href=/c rel=nofollow>c</a>`;
  const { reading, page } = readResponse(answer(html), options);
  assert.ok(reading.kind === 'page');
  assert.deepEqual(urlsOf(reading.links.urls), ['http://a.test/a']);
  assert.deepEqual([...reading.links.fingerprints], [fingerprint(canonicalize('http://a.test/a')!)]);
  assert.equal(reading.links.depth, 2);
  const paths = ['/a', '/a', '/tags/x', '/c'].map((path) => `http://a.test${path}`);
  assert.deepEqual(urlsOf(reading.page.ownLinks), paths);
  assert.equal(page?.text.startsWith('Words'), true);
});

test('a page that a URL rule keeps out of the index is read as noindex', () => {
  const { reading } = readResponse(answer('<p>Words', [], { isIndexed: false }), options);
  assert.ok(reading.kind === 'page');
  assert.equal(reading.page.robots.index, false);
});

test('a compressed body has a digest of the payload and one of the decoded content', () => {
  const plain = readResponse(answer('<p>Words'), options).reading;
  const coded = readResponse(answer(gzipSync('<p>Words'), ['Content-Encoding', 'gzip']), options).reading;
  assert.ok(plain.kind === 'page' && coded.kind === 'page');
  assert.equal(plain.digest, plain.payloadDigest);
  assert.equal(coded.digest, plain.digest);
  assert.notEqual(coded.payloadDigest, plain.digest);
});

test('a body that expands too much or cannot be decoded fails', () => {
  const bomb = answer(gzipSync(Buffer.alloc(20_000)), ['Content-Encoding', 'gzip']);
  assert.deepEqual(readResponse(bomb, options).reading, {
    kind: 'failed',
    reason: 'too large when decompressed',
  });
  const torn = answer('not gzip', ['Content-Encoding', 'gzip']);
  assert.deepEqual(readResponse(torn, options).reading, { kind: 'failed', reason: 'broken gzip body' });
});

test('a document that cannot be read has the reason, and its body has a digest for the archive', () => {
  const office = ['Content-Type', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'];
  const torn = answer('PK\u0003\u0004torn', [], { rawHeaders: office });
  const { reading, page } = readResponse(torn, options);
  assert.equal(page, null);
  assert.ok(reading.kind === 'other');
  assert.deepEqual([reading.fault, reading.isError, reading.digest.length], ['damaged', false, 32]);
});

test('other kinds of responses are recognized by status and first bytes', () => {
  const kindOf = (given: FetchedResponse) => readResponse(given, options).reading.kind;
  assert.equal(kindOf(answer('', [], { status: 404 })), 'gone');
  assert.equal(kindOf(answer('', [], { status: 403 })), 'other');
  assert.equal(kindOf(answer('', ['Location', '/b'], { status: 301 })), 'redirect');
  const sitemap = answer('<urlset><url><loc>http://a.test/s</loc></url></urlset>', [], {
    rawHeaders: ['Content-Type', 'application/xml'],
  });
  const { reading } = readResponse(sitemap, options);
  assert.ok(reading.kind === 'sitemap');
  assert.deepEqual(urlsOf(reading.links.urls), ['http://a.test/s']);
});
