import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from '../base/mod.ts';
import { ArchiveReader } from './archive-reader.ts';
import {
  appendBatch,
  capture,
  FETCHED_AT,
  htmlPage,
  temporaryDirectory,
  warcWriter,
} from './warc/warc.fixture.ts';

test('captures are found in finished files and in the open one, newest first', async (t) => {
  const directory = temporaryDirectory(t);
  const writer = warcWriter(directory, { rotateBytes: 1 });
  const reader = new ArchiveReader(directory);
  t.after(() => reader.close());
  const bodies = () =>
    reader.find('https://example.org/a').map((entry) => reader.read(entry).http!.body.toString());
  assert.deepEqual(bodies(), []);
  await appendBatch(writer, [capture('/a', 'first'), capture('/b', 'other')]);
  assert.deepEqual(bodies(), ['first']);
  writer.rotateIfLarge();
  assert.deepEqual(bodies(), ['first']);
  await appendBatch(writer, [capture('/a', 'third', { fetchedAt: FETCHED_AT + 2000 })]);
  assert.deepEqual(bodies(), ['third', 'first']);
  await appendBatch(writer, [capture('/a', 'second', { fetchedAt: FETCHED_AT + 1000 })]);
  assert.deepEqual(bodies(), ['third', 'second', 'first']);
  writer.rotateIfLarge();
  writer.close();
  assert.deepEqual(bodies(), ['third', 'second', 'first']);
});

test('URLs with the same SURT key are distinguished', async (t) => {
  const directory = temporaryDirectory(t);
  const writer = warcWriter(directory, { rotateBytes: 1 });
  await appendBatch(writer, [
    capture('/Page', 'upper'),
    capture('/page', 'lower'),
    capture('/page/', 'slash'),
  ]);
  const reader = new ArchiveReader(directory);
  const check = () => {
    for (const [path, body] of [
      ['/Page', 'upper'],
      ['/page', 'lower'],
      ['/page/', 'slash'],
    ]) {
      const entries = reader.find(`https://example.org${path}`);
      assert.deepEqual(
        entries.map((entry) => reader.read(entry).http!.body.toString()),
        [body],
      );
    }
  };
  check();
  writer.rotateIfLarge();
  writer.close();
  check();
  reader.close();
});

test('bisection finds the same captures as a scan of all lines', async (t) => {
  const seed = 7;
  const random = new Random(seed);
  const directory = temporaryDirectory(t);
  const writer = warcWriter(directory, { rotateBytes: 1 });
  const paths = Array.from({ length: 120 }, () => `/${'x'.repeat(random.next() * 1500)}${random.next()}`);
  const stored = paths.filter((_, i) => i % 2 === 0);
  await appendBatch(
    writer,
    stored.map((path) => capture(path, path)),
  );
  writer.rotateIfLarge();
  writer.close();
  const reader = new ArchiveReader(directory);
  for (const [i, path] of paths.entries()) {
    const found = reader.find(`https://example.org${path}`).length;
    assert.equal(found, i % 2 === 0 ? 1 : 0, `seed ${seed} path ${i}`);
  }
  reader.close();
});

test('a reader follows a crawl that restarts and cuts its files', async (t) => {
  const directory = temporaryDirectory(t);
  const first = warcWriter(directory);
  const mark = await appendBatch(first, [capture('/kept', 'kept')]);
  await appendBatch(first, [capture('/lost', 'lost')]);
  first.close();
  const reader = new ArchiveReader(directory);
  assert.equal(reader.find('https://example.org/lost').length, 1);
  const second = warcWriter(directory, { mark });
  await appendBatch(second, [capture('/new', 'new'), capture('/newer', 'newer')]);
  second.close();
  assert.equal(reader.find('https://example.org/lost').length, 0);
  assert.equal(reader.find('https://example.org/new').length, 1);
  assert.equal(reader.find('https://example.org/kept').length, 1);
  reader.close();
});

test('a damaged record is an error; no other record is returned instead', async (t) => {
  const directory = temporaryDirectory(t);
  const writer = warcWriter(directory);
  for (const path of ['/a', '/b']) writer.append(capture(path, htmlPage(path)));
  await writer.flush();
  writer.close();
  const reader = new ArchiveReader(directory);
  const [entry] = reader.find('https://example.org/a');
  assert.equal(reader.read(entry!).targetUri, entry!.url);
  const part = '00000001.warc.gz.part';
  const whole = directory.read(part);
  for (const at of [0, 12, entry!.length >> 1, entry!.length - 6]) {
    const flipped = Buffer.from(whole);
    flipped[entry!.offset + at]! ^= 0x20;
    directory.replace(part, flipped);
    assert.throws(() => reader.read(entry!), /00000001\.warc\.gz\.part at byte \d+: expected a record/);
    assert.equal(reader.tryRead(entry!), null);
  }
  directory.replace(part, whole);
  const [other] = reader.find('https://example.org/b');
  assert.throws(
    () => reader.read({ ...entry!, offset: other!.offset }),
    /expected a record of .+\/a, got .+\/b/,
  );
  reader.close();
});
