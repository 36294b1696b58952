import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type Log, silentLog } from '../base/mod.ts';
import { canonicalize } from '../url/mod.ts';
import type { RecordMeaning } from './archived-page.ts';
import { RecordReader } from './record-reader.ts';
import { PLAIN_READING } from '../page/plain-reading.fixture.ts';

const EXTRACTOR = join(import.meta.dirname, '..', 'page', 'extractors', 'dangerous-extractor.fixture.ts');

function readerFor(context: TestContext, limitMs: number, log: Log = silentLog): RecordReader {
  const reader = new RecordReader({ reading: { ...PLAIN_READING, extractors: [EXTRACTOR] }, limitMs, log });
  context.after(() => reader.close());
  return reader;
}

function readAll(reader: RecordReader, paths: readonly string[]): Promise<RecordMeaning[]> {
  return Promise.all(
    paths.map((path) => {
      const block = Buffer.from(
        `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<title>${path}</title>Words`,
      );
      const url = canonicalize(path, 'http://a.test/')!;
      return reader.read({ type: 'response', targetUri: url, date: 0, fields: new Map(), block }, url);
    }),
  );
}

/** Returns the title of a parsed page, or the reason why parsing failed. */
function said(meaning: RecordMeaning): string {
  if (meaning.kind === 'failed') return meaning.reason;
  return meaning.kind === 'page' ? meaning.page.title : meaning.kind;
}

for (const [path, reason, limitMs] of [
  ['/exit', 'ended the thread that read it', 300_000],
  ['/loop', 'took longer than 1.2 s to read', 1_200],
] as const) {
  test(`${path}: a record that ends its thread fails, and the other records are read`, async (context) => {
    const reader = readerFor(context, limitMs);
    const first = await readAll(reader, ['/a', path, '/b', '/c']);
    assert.deepEqual(first.map(said), ['/a', reason, '/b', '/c']);
    assert.deepEqual((await readAll(reader, ['/d'])).map(said), ['/d']);
  });
}

test('a thread that dies without a record in work is replaced', async (context) => {
  const reader = readerFor(context, 300_000);
  const read = await readAll(reader, ['/a', '/later', '/b']);
  assert.deepEqual(read.map(said), ['/a', '/later', '/b']);
});

test('threads that cannot start end the work with a reason', async (context) => {
  const missing = join(import.meta.dirname, 'no-such-extractor.ts');
  const reader = new RecordReader({
    reading: { ...PLAIN_READING, extractors: [missing] },
    limitMs: 60_000,
    log: silentLog,
  });
  context.after(() => reader.close());
  await assert.rejects(
    readAll(reader, ['/a']),
    /threads of the parser pool cannot start: .*no-such-extractor/,
  );
});

test('an error of an extractor is logged once, and the page is parsed without the extractor', async (context) => {
  const lines: string[] = [];
  const warn = (event: string, fields = {}) => void lines.push(`${event} ${JSON.stringify(fields)}`);
  const reader = readerFor(context, 60_000, { ...silentLog, warn });
  assert.deepEqual((await readAll(reader, ['/throw', '/throw'])).map(said), ['/throw', '/throw']);
  assert.equal(lines.length, 1);
  assert.match(lines[0]!, /extractor failed.*http:\/\/a\.test\/throw.*thrown by an extractor/);
});
