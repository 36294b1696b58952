import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from '../../base/mod.ts';
import { urlsOf } from '../../crawl/mod.ts';
import { type CanonicalUrl, canonicalize, fingerprint } from '../../url/mod.ts';
import { decodeLinkMessage, LinkMessageWriter, type OutgoingLink } from './link-message.ts';

const urlOf = (url: string): CanonicalUrl => canonicalize(url)!;
const seed = Number(process.env.TEST_SEED ?? 18);

test('the worked example is encoded as documented', () => {
  const message = new LinkMessageWriter();
  const links = [
    { url: urlOf('https://b.test/'), isFollowOnly: false },
    { url: urlOf('https://b.test/c'), isFollowOnly: true },
  ];
  message.add(links, 3, urlOf('https://a.test/'));
  const expected = [1, 15, 'https://a.test/', 3, 2, 16, 7, 'b.test/', 31, 1, 'c'];
  const bytes = expected.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.of(part)));
  assert.deepEqual(message.finish(), Buffer.concat(bytes));
});

test(`links are decoded as they were sent (seed ${seed})`, () => {
  const random = new Random(seed);
  const below = (limit: number) => Math.floor(random.next() * limit);
  const sent: { links: OutgoingLink[]; depth: number; source: CanonicalUrl | null }[] = [];
  const message = new LinkMessageWriter();
  for (let page = 0; page < 200; page++) {
    const links = Array.from({ length: below(20) }, () => ({
      url: urlOf(`https://h${below(9)}.test/${'ä/b'.repeat(below(4))}?q=${below(99)}`),
      isFollowOnly: below(3) === 0,
    }));
    const entry = {
      links,
      depth: below(300),
      source: below(5) === 0 ? null : urlOf(`https://s.test/${page}`),
    };
    message.add(links, entry.depth, entry.source);
    sent.push(entry);
  }
  const decoded = decodeLinkMessage(message.finish());
  assert.equal(decoded.length, sent.length);
  for (const [index, { links, source }] of decoded.entries()) {
    const expected = sent[index]!;
    assert.equal(source, expected.source);
    assert.equal(links.depth, expected.depth);
    assert.deepEqual(
      urlsOf(links.urls),
      expected.links.map(({ url }) => url),
    );
    assert.deepEqual(
      links.fingerprints,
      BigInt64Array.from(expected.links, ({ url }) => fingerprint(url)),
    );
    const followOnly = expected.links.flatMap(({ isFollowOnly }, at) => (isFollowOnly ? [at] : []));
    assert.deepEqual(links.followOnly ?? [], followOnly);
  }
});

test('a message of another version is refused', () => {
  assert.throws(() => decodeLinkMessage(Buffer.of(2, 0, 0, 0)), {
    code: 'link-message-version',
    message: /expected version 1, got 2; run the same version of Gyre on all nodes/,
  });
});

test('a message that is cut off, empty or has no canonical URL is refused', () => {
  const writer = new LinkMessageWriter();
  writer.add([{ url: urlOf('https://a.test/path'), isFollowOnly: false }], 1, null);
  const message = writer.finish();
  for (let length = 2; length < message.length; length++)
    assert.throws(() => decodeLinkMessage(message.subarray(0, length)), { name: 'CorruptError' });
  assert.throws(() => decodeLinkMessage(Buffer.alloc(0)), { name: 'CorruptError' });
  const wrong = Buffer.from(message);
  wrong.write('ftp', wrong.indexOf('http'));
  assert.throws(() => decodeLinkMessage(wrong), /expected a canonical URL, got "ftpp/);
});
