import assert from 'node:assert/strict';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { WARCParser } from 'warcio';
import { type Directory, partOf, Random, sha1Base32 } from '../../base/mod.ts';
import { decodeCdx, encodeCdx } from '../cdx/cdx-format.ts';
import { appendBatch, capture, FETCHED_AT, temporaryDirectory, warcWriter } from './warc.fixture.ts';
import { warcName } from './warc-compression.ts';
import { ThreadEncoder } from './warc-encoder.ts';
import type { Resource } from './warc-format.ts';
import { readRecord } from './warc-reader.ts';

const cdxPart = (file: number) => partOf(`0000000${file}.cdxj`);
const linesOf = (directory: Directory, name: string) =>
  directory.read(name).toString().split('\n').slice(0, -1);
const urlsOf = (directory: Directory, name: string) =>
  linesOf(directory, name).map((line) => decodeCdx(line)!.url.replace('https://example.org', ''));

const resource: Resource = {
  url: 'https://docs.invalid/1',
  fetchedAt: FETCHED_AT,
  contentType: 'application/json',
  payload: Buffer.from('{}'),
  payloadDigest: sha1Base32(Buffer.from('{}')),
};

test('warcio reads responses, requests and resources, and confirms every block digest', async (t) => {
  const directory = temporaryDirectory(t);
  const writer = warcWriter(directory);
  await appendBatch(writer, [capture('/a', '<p>grüße</p>'), resource]);
  writer.close();
  const found: string[] = [];
  for await (const record of new WARCParser(createReadStream(join(directory.path, partOf(warcName(1)))), {
    parseHttp: false,
  })) {
    const block = Buffer.from(await record.readFully(false));
    found.push(`${record.warcType} ${record.warcTargetURI ?? ''}`.trim());
    const digest = record.warcHeaders.headers.get('WARC-Block-Digest');
    assert.equal(digest, `sha1:${sha1Base32(block)}`, found.at(-1));
  }
  const url = 'https://example.org/a';
  const expected = ['warcinfo', `response ${url}`, `request ${url}`];
  assert.deepEqual(found, [...expected, `resource ${resource.url}`]);
});

test('a compressed body is stored unchanged, and both readers can decode it', async (t) => {
  const noise = new Random(1);
  const html = Array.from({ length: 40_000 }, () => noise.next().toString(36)).join(' ');
  const payload = gzipSync(html);
  assert.ok(payload.length > 2 * 65_536, 'it takes several blocks');
  for (const compression of ['gzip', 'zstd'] as const) {
    const directory = temporaryDirectory(t);
    const writer = warcWriter(directory, { compression });
    const rawHeaders = ['Content-Type', 'text/html', 'Content-Encoding', 'gzip'];
    await appendBatch(writer, [capture('/a', payload, { rawHeaders }), capture('/b', 'b')]);
    writer.close();
    const name = partOf(warcName(1, compression));
    const { http } = readRecord(directory, name, decodeCdx(linesOf(directory, cdxPart(1))[0]!)!.offset);
    assert.deepEqual([http!.payload, http!.body.toString()], [payload, html]);
  }
  const directory = temporaryDirectory(t);
  const writer = warcWriter(directory);
  await appendBatch(writer, [capture('/a', payload, { rawHeaders: ['Content-Encoding', 'gzip'] })]);
  writer.close();
  const path = join(directory.path, partOf(warcName(1)));
  for await (const record of new WARCParser(createReadStream(path))) {
    const body = Buffer.from(await record.readFully(true)).toString();
    if (record.warcType === 'response') assert.equal(body, html);
  }
});

test('a header that contains a line end cannot begin another one', async (t) => {
  const directory = temporaryDirectory(t);
  const writer = warcWriter(directory);
  const rawHeaders = ['Content-Type', 'text/html', 'X-Odd', 'a\r\nSet-Cookie: b'];
  await appendBatch(writer, [capture('/a', 'a', { rawHeaders })]);
  writer.close();
  const entry = decodeCdx(linesOf(directory, cdxPart(1))[0]!)!;
  const { http } = readRecord(directory, partOf(warcName(1)), entry.offset);
  assert.equal(http!.headers.has('set-cookie'), false);
  assert.deepEqual(http!.headers.get('x-odd'), ['a Set-Cookie: b']);
});

for (const compression of ['gzip', 'zstd'] as const) {
  test(`the encoder thread writes the same bytes as this thread, with ${compression}`, async (t) => {
    const items = Array.from({ length: 20 }, (_, i) => capture(`/${i}`, `page ${i} `.repeat(i * 50)));
    const [here, there] = [temporaryDirectory(t), temporaryDirectory(t)];
    for (const directory of [here, there]) {
      const encoder = directory === there ? { encoder: new ThreadEncoder() } : {};
      const writer = warcWriter(directory, { compression, ...encoder });
      await appendBatch(writer, items.slice(0, 7));
      for (const item of items.slice(7)) writer.append(item);
      await writer.flush();
      writer.close();
    }
    assert.deepEqual(urlsOf(there, cdxPart(1)), urlsOf(here, cdxPart(1)));
    for (const [i, line] of linesOf(there, cdxPart(1)).entries()) {
      const { http } = readRecord(there, partOf(warcName(1, compression)), decodeCdx(line)!.offset);
      assert.equal(http!.body.toString(), `page ${i} `.repeat(i * 50));
    }
  });
}

test('the CDXJ file of a finished file is sorted and has the offset of each record', async (t) => {
  const directory = temporaryDirectory(t);
  const writer = warcWriter(directory, { rotateBytes: 1 });
  const paths = ['/c', '/a', '/b?z=1&a=2', '/a'];
  for (const [i, path] of paths.entries()) {
    writer.append(capture(path, `body ${i}`, { fetchedAt: FETCHED_AT + i * 1000 }));
  }
  await writer.flush();
  writer.rotateIfLarge();
  writer.close();
  const lines = linesOf(directory, '00000001.cdxj');
  assert.deepEqual(lines, lines.toSorted());
  assert.deepEqual(urlsOf(directory, '00000001.cdxj'), ['/a', '/a', '/b?z=1&a=2', '/c']);
  for (const line of lines) {
    const entry = decodeCdx(line)!;
    assert.equal(encodeCdx(entry), line);
    const record = readRecord(directory, entry.filename, entry.offset);
    assert.equal(record.targetUri, entry.url);
    assert.equal(entry.digest, `sha1:${sha1Base32(record.http!.payload)}`);
  }
  assert.equal(directory.has(cdxPart(1)), false);
});

test('a lost CDXJ file is rebuilt byte for byte', async (t) => {
  const directory = temporaryDirectory(t);
  const writer = warcWriter(directory, { rotateBytes: 1 });
  const original = { url: 'https://example.org/a', fetchedAt: FETCHED_AT };
  const redirect = { status: 301, rawHeaders: ['Location', '/a'] };
  await appendBatch(writer, [
    capture('/a', 'a'),
    capture('/b', 'a', { duplicateOf: original }),
    capture('/c', '', redirect),
    resource,
  ]);
  writer.rotateIfLarge();
  const mark = writer.mark;
  writer.close();
  const before = directory.read('00000001.cdxj');
  directory.remove('00000001.cdxj');
  warcWriter(directory, { mark }).close();
  assert.equal(directory.read('00000001.cdxj').toString(), before.toString());
});

test('CDXJ lines after the commit are cut, and missing lines are added', async (t) => {
  const directory = temporaryDirectory(t);
  const first = warcWriter(directory);
  const mark = await appendBatch(first, [capture('/a', 'a'), capture('/b', 'b')]);
  await appendBatch(first, [capture('/lost', 'lost')]);
  first.close();
  const all = directory.read(cdxPart(1));
  const [, second] = linesOf(directory, cdxPart(1)) as [string, string, string];
  const damaged = all.toString().replace(second, second.replace('"offset"', '\u0000\u0000'));
  for (const found of [all, all.subarray(0, 40), Buffer.from(damaged), Buffer.alloc(0)]) {
    directory.append(cdxPart(1), 0).close();
    const file = directory.append(cdxPart(1), 0);
    file.write(found);
    file.close();
    warcWriter(directory, { mark }).close();
    assert.deepEqual(urlsOf(directory, cdxPart(1)), ['/a', '/b']);
  }
});

test('another compression takes effect with the next file', async (t) => {
  const directory = temporaryDirectory(t);
  const first = warcWriter(directory, { compression: 'gzip' });
  const mark = await appendBatch(first, [capture('/a', 'a')]);
  first.close();
  const second = warcWriter(directory, { mark, compression: 'zstd', rotateBytes: 1 });
  await appendBatch(second, [capture('/b', 'b')]);
  second.rotateIfLarge();
  await appendBatch(second, [capture('/c', 'c')]);
  second.rotateIfLarge();
  second.close();
  const finished = directory.list().filter((name) => name.includes('warc'));
  assert.deepEqual(finished, [warcName(1, 'gzip'), warcName(2, 'zstd')]);
  assert.deepEqual(urlsOf(directory, '00000001.cdxj'), ['/a', '/b']);
  assert.deepEqual(urlsOf(directory, '00000002.cdxj'), ['/c']);
});

test('if the encoder dies, the flush fails and no partial record is written', async (t) => {
  const directory = temporaryDirectory(t);
  const encoder = new ThreadEncoder();
  const writer = warcWriter(directory, { encoder });
  const { length } = writer.mark;
  encoder.close();
  await assert.rejects(appendBatch(writer, [capture('/a', 'a')]), /the archive's encoder failed/);
  assert.equal(writer.mark.length, length);
  writer.close();
});
