/** Tests copies of pages that are read from real WARC files. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { ArchiveReader, type Capture, WARC_START, WarcWriter } from '../../archive/mod.ts';
import { appendBatch } from '../../archive/warc/warc.fixture.ts';
import { DAY_MS, openDirectory, sha1Base32 } from '../../base/mod.ts';
import { pictureType } from '../../page/mod.ts';
import { type CanonicalUrl, canonicalize } from '../../url/mod.ts';
import { allowsCopies } from './copy-tasks.ts';
import { archivedCopies, archivedPicture } from './page-archive.ts';

const URL_A = canonicalize('https://example.org/a')!;
const START = Date.UTC(2026, 0, 2, 3, 4, 5);

function capture(url: string, body: string | Buffer, over: Partial<Capture> = {}): Capture {
  const payload = Buffer.from(body);
  return {
    url,
    fetchedAt: START,
    requestHead: 'GET / HTTP/1.1',
    status: 200,
    statusText: 'OK',
    rawHeaders: ['Content-Type', 'text/html; charset=utf-8'],
    payload,
    payloadDigest: sha1Base32(payload),
    ipAddress: '192.0.2.1',
    duplicateOf: null,
    ...over,
  };
}

async function archiveOf(t: TestContext, captures: Capture[]) {
  const path = mkdtempSync(join(tmpdir(), 'gyre-copies-'));
  const directory = openDirectory(path);
  const clock = { now: () => START };
  const writer = new WarcWriter({ directory, mark: WARC_START, rotateBytes: 1e9, software: 'test', clock });
  await appendBatch(writer, captures);
  writer.close();
  const reader = new ArchiveReader(directory);
  t.after(() => {
    reader.close();
    rmSync(path, { recursive: true });
  });
  return { ...archivedCopies(reader), picture: (url: CanonicalUrl) => archivedPicture(reader, url) };
}

test('copies are listed newest first with their content; responses without a page are not listed', async (t) => {
  const archive = await archiveOf(t, [
    capture(URL_A, '<title>one</title>'),
    capture(URL_A, '<title>two</title>', { fetchedAt: START + DAY_MS }),
    capture(URL_A, 'oops', { fetchedAt: START + 2 * DAY_MS, status: 500 }),
    capture(URL_A, '', { fetchedAt: START + 3 * DAY_MS, status: 404 }),
  ]);
  const copies = archive.copies(URL_A);
  assert.deepEqual(
    copies.map(({ at, fetchedAt }) => [at, fetchedAt]),
    [
      ['20260103030405', START + DAY_MS],
      ['20260102030405', START],
    ],
  );
  assert.deepEqual(
    copies.map(({ at }) => archive.read(URL_A, at)?.page.title),
    ['two', 'one'],
  );
  assert.equal(archive.read(URL_A, '19990101000000'), null);
  assert.deepEqual(archive.copies(canonicalize('https://example.org/b')!), []);
});

test('an unchanged copy has the body of the earlier capture', async (t) => {
  const first = capture(URL_A, '<title>one</title>');
  const duplicateOf = { url: URL_A, fetchedAt: START };
  const archive = await archiveOf(t, [first, { ...first, fetchedAt: START + DAY_MS, duplicateOf }]);
  const [newest] = archive.copies(URL_A);
  assert.equal(newest!.at, '20260103030405');
  assert.equal(archive.read(URL_A, newest!.at)?.page.title, 'one');
});

test('noarchive in the page or in a header is respected', async (t) => {
  const archive = await archiveOf(t, [
    capture(URL_A, '<meta name=robots content=noarchive>'),
    capture('https://example.org/b', '<p>x', {
      rawHeaders: ['Content-Type', 'text/html', 'X-Robots-Tag', 'noarchive'],
    }),
    capture('https://example.org/c', '<p>x'),
  ]);
  const allowed = ['a', 'b', 'c'].map((name) => {
    const url = canonicalize(`https://example.org/${name}`)!;
    return allowsCopies(archive.read(url, archive.copies(url)[0]!.at)!.page, START);
  });
  assert.deepEqual(allowed, [false, false, true]);
});

test('an image is recognized by its first bytes', async (t) => {
  const png = Buffer.from('\x89PNG\r\n\x1a\n rest', 'latin1');
  const archive = await archiveOf(t, [
    capture('https://example.org/favicon.ico', png, { rawHeaders: ['Content-Type', 'text/html'] }),
    capture('https://example.org/large.png', Buffer.concat([png, Buffer.alloc(1e5)])),
    capture('https://example.org/script.png', '<svg onload=x>', {
      rawHeaders: ['Content-Type', 'image/png'],
    }),
  ]);
  const picture = (name: string) => archive.picture(canonicalize(`https://example.org/${name}`)!);
  assert.deepEqual(picture('favicon.ico'), { contentType: 'image/png', bytes: png });
  for (const name of ['large.png', 'script.png', 'missing.png']) assert.equal(picture(name), null, name);
  assert.equal(pictureType(Buffer.from('GIF89a')), 'image/gif');
  assert.equal(pictureType(Buffer.from('RIFF\n\n\n\nWEBP')), 'image/webp');
});
