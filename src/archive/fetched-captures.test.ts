import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS } from '../base/mod.ts';
import { ArchiveReader, type CaptureReader } from './archive-reader.ts';
import { currentCapture, findOriginal, interpretRecord } from './archived-page.ts';
import { fetchAndRun, type RemoteCaptures, readFetched } from './fetched-captures.ts';
import { appendBatch, capture, FETCHED_AT, temporaryDirectory, warcWriter } from './warc/warc.fixture.ts';

const PAGE = capture('/a', '<title>one</title>');
const LATER = capture('/a', '', {
  fetchedAt: FETCHED_AT + DAY_MS,
  duplicateOf: { url: PAGE.url, fetchedAt: FETCHED_AT },
});

/** Reads the title of a page. This needs two lists of captures and two records. */
function readTitle(reader: CaptureReader, url: string) {
  const newest = reader.find(url)[0];
  const record = newest && reader.tryRead(newest);
  if (!record) return { kind: 'title', title: null, current: null };
  const meaning = interpretRecord(record, PAGE.url as never);
  const original = meaning.kind === 'revisit' ? findOriginal(reader, meaning) : null;
  const page = original ? interpretRecord(reader.read(original), PAGE.url as never) : meaning;
  return {
    kind: 'title',
    title: page.kind === 'page' ? page.page.title : null,
    current: currentCapture(reader, url)?.timestamp,
  };
}

test('fetched captures read like those in files, and each is fetched once', async (t) => {
  const directory = temporaryDirectory(t);
  const writer = warcWriter(directory);
  await appendBatch(writer, [PAGE, capture('/b', 'other'), LATER]);
  writer.close();
  const files = new ArchiveReader(directory);
  t.after(() => files.close());
  const fetches: string[] = [];
  const warc = directory.read('00000001.warc.gz.part');
  const remote: RemoteCaptures = {
    async find(url) {
      fetches.push(url);
      return files.find(url);
    },
    async record({ offset, length, timestamp }) {
      fetches.push(timestamp);
      return warc.subarray(offset, offset + length);
    },
  };
  const read = (url: string) =>
    fetchAndRun(remote, async (fetched) => readFetched(fetched, (reader) => readTitle(reader, url)));
  assert.deepEqual(await read(PAGE.url), readTitle(files, PAGE.url));
  assert.equal((await read(PAGE.url)).title, 'one');
  assert.deepEqual(fetches.slice(0, 3), [PAGE.url, '20260103030405', '20260102030405']);
  assert.equal(fetches.length, 6);
  const damaged = { ...remote, record: async () => Buffer.from('\x1f\x8b\x08 not a record', 'latin1') };
  const broken = fetchAndRun(damaged, async (fetched) =>
    readFetched(fetched, (reader) => readTitle(reader, PAGE.url)),
  );
  assert.equal((await broken).title, null);
  const away = { ...remote, find: () => Promise.reject(new Error('S3 is away')) };
  await assert.rejects(
    fetchAndRun(away, async (fetched) => readFetched(fetched, (reader) => readTitle(reader, PAGE.url))),
    /S3 is away/,
  );
});
