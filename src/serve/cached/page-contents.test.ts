import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ArchiveReader, type Capture, WARC_START, WarcWriter } from '../../archive/mod.ts';
import { appendBatch } from '../../archive/warc/warc.fixture.ts';
import { temporaryDirectory } from '../../../test/helpers/gyre.ts';
import { DAY_MS, directoryAt, openDirectory, sha1Base32, silentLog, systemClock } from '../../base/mod.ts';
import { PLAIN_READING } from '../../page/plain-reading.fixture.ts';
import { canonicalize } from '../../url/mod.ts';
import { ArchivePool } from './archive-pool.ts';
import { readContents } from './page-contents.ts';

const START = Date.UTC(2026, 0, 2, 3, 4, 5);
const PRODUCT = '<script type="application/ld+json">{"@type":"Product","name":"Jug"}</script>';

function capture(path: string, body: string, over: Partial<Capture> = {}): Capture {
  const payload = Buffer.from(body);
  return {
    ...{ url: `https://example.org/${path}`, fetchedAt: START, requestHead: 'GET / HTTP/1.1', status: 200 },
    ...{ statusText: 'OK', rawHeaders: ['Content-Type', 'text/html'], ipAddress: '192.0.2.1' },
    ...{ payload, payloadDigest: sha1Base32(payload), duplicateOf: null, ...over },
  };
}

test('the contents are those of the newest capture, without what the page withholds', async (context) => {
  const path = temporaryDirectory(context);
  const writer = new WarcWriter({
    ...{ directory: openDirectory(path), mark: WARC_START, rotateBytes: 1e9, software: 'test' },
    clock: { now: () => START },
  });
  const later = { fetchedAt: START + DAY_MS };
  await appendBatch(writer, [
    capture('jug', '<title>Old</title>'),
    capture(
      'jug',
      `<title>Jug</title>${PRODUCT}<p>A jug. <b data-nosnippet>secret</b><a href=/cup>Cup</a>`,
      later,
    ),
    capture('gone', '<title>Gone</title>'),
    ...[DAY_MS, 2 * DAY_MS].map((ms) => capture('gone', '', { fetchedAt: START + ms, status: 404 })),
    ...['noarchive', 'nosnippet', 'noindex'].map((word) =>
      capture(word, `<meta name=robots content=${word}><p>private`),
    ),
  ]);
  writer.close();
  const reader = new ArchiveReader(directoryAt(path));
  context.after(() => reader.close());
  const read = (name: string) =>
    readContents(reader, canonicalize(`https://example.org/${name}`)!, {}, START);
  const jug = read('jug');
  assert.ok(jug.kind === 'contents');
  assert.deepEqual([jug.title, jug.capture.at, jug.fetchedAt], ['Jug', '20260103030405', START + DAY_MS]);
  assert.match(jug.text, /A jug\. +Cup/);
  assert.deepEqual(
    jug.records.map(({ type, source }) => [type, source]),
    [['Product', 'json-ld']],
  );
  assert.deepEqual(
    jug.links.map(({ url }) => url),
    ['https://example.org/cup'],
  );
  assert.deepEqual(read('gone'), { kind: 'none' });
  assert.deepEqual(read('unknown'), { kind: 'none' });
  for (const name of ['noarchive', 'nosnippet', 'noindex']) assert.deepEqual(read(name), { kind: 'refused' });

  const broken = { ...PLAIN_READING, recordRules: [`${path}/no.rules`] };
  const options = { directory: directoryAt(path), log: silentLog, clock: systemClock, reading: broken };
  const pool = new ArchivePool({ ...options, deadlineMs: 60_000 });
  context.after(() => pool.close());
  const fromThread = await pool.contents(jug.url);
  assert.deepEqual(fromThread, jug, 'a thread reads the same, also if the record rules are broken');
});
