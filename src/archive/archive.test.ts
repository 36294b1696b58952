import assert from 'node:assert/strict';
import { createReadStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { WARCParser } from 'warcio';
import { type Directory, openDirectory, partOf, sha1Base32 } from '../base/mod.ts';
import { type JournalRecord, MAIN_WRITER } from '../journal/journal-format.ts';
import { journalName } from '../journal/journal-generation.ts';
import { journalFiles, readJournal } from '../journal/journal-reader.ts';
import { JOURNAL_START, JournalWriter } from '../journal/journal-writer.ts';
import type { CanonicalUrl } from '../url/mod.ts';
import { warcName } from './warc/warc-compression.ts';
import type { Capture } from './warc/warc-format.ts';
import { WARC_START, WarcWriter } from './warc/warc-writer.ts';

const root = mkdtempSync(join(tmpdir(), 'gyre-archive-'));
after(() => rmSync(root, { recursive: true }));
let directories = 0;
const freshDirectory = (): Directory => openDirectory(join(root, String(++directories)));
const clock = { now: () => Date.UTC(2026, 0, 2, 3, 4, 5, 678) };

function warcWriter(directory: Directory, mark = WARC_START, rotateBytes = 1e9): WarcWriter {
  return new WarcWriter({ directory, mark, rotateBytes, software: 'Gyre test', clock });
}

function capture(path: string, body: string, over: Partial<Capture> = {}): Capture {
  const payload = Buffer.from(body);
  return {
    url: `https://example.org${path}`,
    fetchedAt: clock.now(),
    requestHead: `GET ${path} HTTP/1.1\r\nhost: example.org`,
    status: 200,
    statusText: 'OK',
    rawHeaders: ['Content-Type', 'text/html', 'Transfer-Encoding', 'chunked'],
    payload,
    payloadDigest: sha1Base32(payload),
    ipAddress: '192.0.2.1',
    duplicateOf: null,
    ...over,
  };
}

async function readWarc(directory: Directory, name: string) {
  const records = [];
  for await (const record of new WARCParser(createReadStream(join(directory.path, name)))) {
    const payload = Buffer.from(await record.readFully(false)).toString();
    const { headers } = record.warcHeaders;
    records.push({
      type: record.warcType,
      uri: record.warcTargetURI,
      headers,
      payload,
      http: record.httpHeaders,
    });
  }
  return records;
}

test('warcio reads every record and every byte', async () => {
  const directory = freshDirectory();
  const writer = warcWriter(directory);
  writer.append(capture('/a', '<p>grüße</p>'));
  const owner = { url: 'https://example.org/a', fetchedAt: clock.now() };
  writer.append(capture('/b', '<p>grüße</p>', { duplicateOf: owner }));
  await writer.flush();
  writer.close();
  const records = await readWarc(directory, partOf(warcName(1)));
  assert.deepEqual(
    records.map((record) => [record.type, record.uri]),
    [
      ['warcinfo', null],
      ['response', 'https://example.org/a'],
      ['request', 'https://example.org/a'],
      ['revisit', 'https://example.org/b'],
      ['request', 'https://example.org/b'],
    ],
  );
  const [, response, request, revisit] = records;
  assert.equal(response!.payload, '<p>grüße</p>');
  assert.equal(
    response!.headers.get('WARC-Payload-Digest'),
    `sha1:${sha1Base32(Buffer.from('<p>grüße</p>'))}`,
  );
  assert.equal(response!.headers.get('WARC-Date'), '2026-01-02T03:04:05.678Z');
  assert.equal(response!.http?.headers.get('X-Archive-Transfer-Encoding'), 'chunked');
  assert.equal(request!.headers.get('WARC-Concurrent-To'), response!.headers.get('WARC-Record-ID'));
  assert.equal(revisit!.headers.get('WARC-Refers-To-Target-URI'), 'https://example.org/a');
  assert.equal(revisit!.payload, '');
});

test('reopening the archive cuts uncommitted bytes', async () => {
  const directory = freshDirectory();
  const first = warcWriter(directory);
  first.append(capture('/kept', 'kept'));
  const mark = await first.flush();
  first.append(capture('/lost', 'lost'));
  first.close();
  const second = warcWriter(directory, mark);
  second.append(capture('/new', 'new'));
  await second.flush();
  second.close();
  const records = await readWarc(directory, partOf(warcName(1)));
  const responses = records.filter((record) => record.type === 'response').map((record) => record.uri);
  assert.deepEqual(responses, ['https://example.org/kept', 'https://example.org/new']);
});

test('a large file is finished and the next one started; a crash before the commit loses nothing', async () => {
  const directory = freshDirectory();
  const writer = warcWriter(directory, WARC_START, 10);
  writer.append(capture('/a', 'a'));
  const mark = await writer.flush();
  writer.rotateIfLarge();
  writer.close();
  assert.deepEqual(directory.list(), ['00000001.cdxj', warcName(1)]);
  const reopened = warcWriter(directory, mark, 10);
  assert.equal(reopened.mark.file, 2);
  reopened.close();
  assert.equal((await readWarc(directory, warcName(1))).length, 3);
});

function gone(path: string): JournalRecord {
  return { kind: 'gone', url: `https://example.org${path}` as CanonicalUrl, fetchedAt: 1, status: 410 };
}

test('journal records are read in order, from finished files only', async () => {
  const directory = freshDirectory();
  const writer = new JournalWriter(directory, JOURNAL_START);
  writer.append(gone('/1'));
  writer.append(gone('/2'));
  await writer.flush();
  writer.append(gone('/3'));
  await writer.flush();
  assert.deepEqual(journalFiles(directory), []);
  writer.rotate();
  writer.rotate();
  writer.append(gone('/4'));
  await writer.flush();
  writer.close();
  assert.deepEqual(journalFiles(directory), [journalName(1, MAIN_WRITER)]);
  assert.deepEqual(journalFiles(directory, { [MAIN_WRITER]: 1 }), []);
  assert.deepEqual([...readJournal(directory, journalName(1, MAIN_WRITER))], ['/1', '/2', '/3'].map(gone));
});

test('reopening the journal cuts uncommitted bytes, also after a crash directly after a rotation', async () => {
  const directory = freshDirectory();
  const first = new JournalWriter(directory, JOURNAL_START);
  first.append(gone('/kept'));
  const mark = await first.flush();
  first.append(gone('/lost'));
  await first.flush();
  first.close();
  const second = new JournalWriter(directory, mark);
  second.append(gone('/new'));
  const later = await second.flush();
  second.rotate();
  second.close();
  assert.deepEqual([...readJournal(directory, journalName(1, MAIN_WRITER))], ['/kept', '/new'].map(gone));
  const third = new JournalWriter(directory, later);
  assert.equal(third.mark.file, 2);
  third.close();
});

test('the error for a damaged journal file has its name and the offset', async () => {
  const directory = freshDirectory();
  const writer = new JournalWriter(directory, JOURNAL_START);
  writer.append(gone('/1'));
  await writer.flush();
  writer.rotate();
  writer.close();
  const bytes = directory.read(journalName(1, MAIN_WRITER));
  directory.replace(journalName(1, MAIN_WRITER), bytes.subarray(0, bytes.length - 4));
  assert.throws(
    () => [...readJournal(directory, journalName(1, MAIN_WRITER))],
    /00000001-main\.journal at byte \d+: expected 4 more bytes/,
  );
  bytes[20]! ^= 0xff;
  directory.replace(journalName(1, MAIN_WRITER), bytes);
  assert.throws(
    () => [...readJournal(directory, journalName(1, MAIN_WRITER))],
    /00000001-main\.journal at byte 12: expected checksum/,
  );
});
