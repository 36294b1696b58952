import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { crc32, deflateRawSync } from 'node:zlib';
import { WARCParser } from 'warcio';
import type { RandomFile } from '../base/mod.ts';
import { exportCdx, exportWacz, exportWarc } from './archive-export.ts';
import {
  appendBatch,
  capture,
  FETCHED_AT,
  fileOf,
  readAll,
  temporaryDirectory,
  warcWriter,
} from './warc/warc.fixture.ts';
import { openZipEntry, readZipDirectory } from '../base/zip/zip-reader.ts';
import { ZipWriter } from '../base/zip/zip-writer.ts';

/**
 * Writes an archive of two files: a finished zstd file, and a gzip file that still grows and also has a record
 * after the mark.
 */
async function mixedArchive(t: Parameters<typeof temporaryDirectory>[0]) {
  const directory = temporaryDirectory(t);
  const first = warcWriter(directory, { rotateBytes: 1, compression: 'zstd' });
  await appendBatch(first, [capture('/b', 'b'), capture('/d', 'd')]);
  first.rotateIfLarge();
  const { mark } = first;
  first.close();
  const second = warcWriter(directory, { mark: { ...mark, length: 0 } });
  const end = await appendBatch(second, [capture('/c', 'c'), capture('/a', 'a')]);
  await appendBatch(second, [capture('/uncommitted', 'x')]);
  second.close();
  return { directory, end };
}

async function zipOf(add: (zip: ZipWriter) => Promise<void>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  const zip = new ZipWriter(async (bytes) => {
    parts.push(Buffer.from(bytes));
  });
  await add(zip);
  await zip.end();
  return Buffer.concat(parts);
}

test('an archive exported as one file has every committed record, with any compression', async (t) => {
  const { directory, end } = await mixedArchive(t);
  for (const compression of ['gzip', 'zstd'] as const) {
    const bytes = Buffer.concat([...exportWarc(directory, end, compression)]);
    const { records, damage } = await readAll(bytes);
    const responses = records.filter((record) => record.startsWith('response'));
    assert.deepEqual(
      responses.map((record) => record.slice('response https://example.org'.length)),
      ['/b', '/d', '/c', '/a'],
    );
    assert.equal(damage.damaged, 0);
  }
  const gzip = Buffer.concat([...exportWarc(directory, end, 'gzip')]);
  let count = 0;
  for await (const record of new WARCParser(Readable.from([gzip]))) {
    await record.readFully(false);
    count++;
  }
  assert.equal(count, 10, 'an independent reader finds them too');
});

test('the CDXJ lines of all files are merged in sorted order', async (t) => {
  const { directory, end } = await mixedArchive(t);
  const lines = Buffer.concat([...exportCdx(directory, end)])
    .toString()
    .trimEnd()
    .split('\n');
  assert.deepEqual(
    lines.map((line) => line.split(' ')[0]),
    ['org,example)/a', 'org,example)/b', 'org,example)/c', 'org,example)/d'],
  );
});

test('a WACZ file has archive, index, pages, and a description with the right digests', async (t) => {
  const { directory, end } = await mixedArchive(t);
  const parts: Buffer[] = [];
  await exportWacz({
    directory,
    end,
    pages: [{ url: 'https://example.org/a', fetchedAt: FETCHED_AT, title: 'A' }],
    software: 'Gyre test',
    now: FETCHED_AT,
    write: async (bytes) => {
      parts.push(Buffer.from(bytes));
    },
  });
  const file = fileOf(Buffer.concat(parts));
  const contents = new Map(
    readZipDirectory(file).map((entry) => {
      const content = openZipEntry(file, entry)!;
      return [entry.name, content.read(0, content.size)];
    }),
  );
  assert.deepEqual(
    [...contents.keys()],
    [
      'archive/00000001.warc.zst',
      'archive/00000002.warc.gz',
      'indexes/index.cdxj',
      'pages/pages.jsonl',
      'datapackage.json',
      'datapackage-digest.json',
    ],
  );
  const description = JSON.parse(contents.get('datapackage.json')!.toString());
  assert.equal(description.wacz_version, '1.1.1');
  for (const { path, hash, bytes } of description.resources) {
    const content = contents.get(path)!;
    assert.equal(hash, `sha256:${createHash('sha256').update(content).digest('hex')}`, path);
    assert.equal(bytes, content.length, path);
  }
  const [, page] = contents.get('pages/pages.jsonl')!.toString().split('\n');
  assert.deepEqual(JSON.parse(page!), {
    url: 'https://example.org/a',
    ts: '2026-01-02T03:04:05.678Z',
    title: 'A',
  });
});

/**
 * Returns `bytes` as a file with `holeBytes` zero bytes inserted before `holeAt`. The zeros take no memory.
 */
function withHole(bytes: Buffer, holeAt: number, holeBytes: number): RandomFile {
  const holeEnd = holeAt + holeBytes;
  const read = (position: number, length: number) => {
    const end = position + length;
    const out = Buffer.alloc(length);
    if (position < holeAt) bytes.copy(out, 0, position, Math.min(end, holeAt));
    const from = Math.max(position, holeEnd);
    if (from < end) bytes.copy(out, from - position, from - holeBytes, end - holeBytes);
    return out;
  };
  return { name: 'large.zip', size: bytes.length + holeBytes, read, close: () => {} };
}

test('ZIP sizes and offsets beyond 32 bits are read back', async () => {
  const size = 5 * 2 ** 30;
  const parts: Uint8Array[] = [];
  const zip = new ZipWriter(async (bytes) => {
    if (bytes.length < size) parts.push(bytes);
  });
  await zip.add({ name: 'large', size, crc32: 1 }, [{ length: size } as Uint8Array]);
  const holeAt = parts[0]!.length;
  await zip.add({ name: 'behind', size: 5, crc32: 2 }, [Buffer.from('hello')]);
  await zip.end();
  const file = withHole(Buffer.concat(parts), holeAt, size);
  const [large, behind] = readZipDirectory(file);
  assert.deepEqual([large!.size, large!.compressedSize, large!.offset], [size, size, 0]);
  assert.equal(behind!.offset, holeAt + size);
  assert.equal(openZipEntry(file, behind!)!.read(0, 5).toString(), 'hello');
});

test('a deflated entry is read; an entry outside the file or with broken data is rejected', async () => {
  const text = Buffer.from('WARC/1.0 '.repeat(100));
  const deflated = deflateRawSync(text);
  const head = { name: 'a.warc', size: deflated.length, crc32: crc32(text) };
  const bytes = await zipOf((zip) => zip.add(head, [deflated]));
  const central = bytes.lastIndexOf(Buffer.from('PK\u0001\u0002'));
  bytes.writeUInt16LE(8, central + 10);
  bytes.writeUInt32LE(text.length, central + 24);
  const file = fileOf(bytes);
  const [entry] = readZipDirectory(file);
  const content = openZipEntry(file, entry!)!;
  assert.deepEqual(content.read(0, content.size), text);
  assert.equal(openZipEntry(file, { ...entry!, compressedSize: 1e9 }), null);
  assert.equal(openZipEntry(file, { ...entry!, method: 99 }), null);
  bytes.fill(0xff, 36, 60);
  assert.equal(openZipEntry(file, entry!), null);
  assert.throws(() => readZipDirectory(fileOf(bytes.subarray(0, 50))), /the end of a ZIP directory/);
});
