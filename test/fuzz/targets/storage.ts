/** Our own files after damage: journal, segments, manifest. They are read again after any accident. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CorruptError, type Directory, openDirectory, silentLog } from '../../../src/base/mod.ts';
import { IndexWriter } from '../../../src/index/mod.ts';
import { filesOf, MANIFEST_NAME, readManifest } from '../../../src/index/manifest.ts';
import { addSegment, makeDocument } from '../../../src/index/segment/documents.fixture.ts';
import { NO_MORE_DOCS, type PostingsCursor } from '../../../src/index/postings/mod.ts';
import { openSegment, type SegmentReader } from '../../../src/index/segment/segment-reader.ts';
import { readFrames, readJournal } from '../../../src/journal/journal-reader.ts';
import { encodeFrames, encodeJournalFile, encodeRecord } from '../../../src/journal/journal-writer.ts';
import { parsePage } from '../../../src/page/parse-page.ts';
import { canonicalize } from '../../../src/url/mod.ts';
import { resealed, storedFileTarget } from '../stored-file.ts';
import { allowRefusal, checkValue, type FuzzTarget } from '../target.ts';

const ADDRESS = canonicalize('https://example.org/')!;
const JOURNAL = '00000001.journal';
/** The names that the index gives to its files. */
const INDEX_FILE = /^(?:seg|versions)-[\w.-]+$/;
const SEGMENT = 'seg-00000009.seg';

let place: { path: string; directory: Directory } | null = null;

function opened(): { path: string; directory: Directory } {
  if (!place) {
    const path = mkdtempSync(join(tmpdir(), 'gyre-fuzz-'));
    place = { path, directory: openDirectory(path) };
  }
  return place;
}

function close(): void {
  if (place) rmSync(place.path, { recursive: true, force: true });
  place = null;
}

function journalRecords(): Uint8Array[] {
  const body = Buffer.from('<title>Tides</title><p>The moon pulls <a href=/x>more</a>');
  const page = parsePage({ url: ADDRESS, contentType: 'text/html', body, xRobotsTag: [] })!;
  const kept = { kind: 'page', url: ADDRESS, fetchedAt: 1_700_000_000_000, page, depth: 0, digest: 'A' };
  const gone = { kind: 'gone', url: ADDRESS, fetchedAt: 1_700_000_000_001 };
  return [kept, gone].map((record) => encodeRecord(record as unknown as Parameters<typeof encodeRecord>[0]));
}

async function readJournalBytes(bytes: Buffer): Promise<void> {
  const { path, directory } = opened();
  writeFileSync(join(path, JOURNAL), bytes);
  await allowRefusal(() => Array.from(readFrames(bytes, JOURNAL)));
  await allowRefusal(() => {
    for (const record of readJournal(directory, JOURNAL)) assert.equal(typeof record.url, 'string');
  });
}

async function indexFiles(): Promise<{ segment: Buffer; manifest: Buffer }> {
  const path = mkdtempSync(join(tmpdir(), 'gyre-fuzz-'));
  try {
    const directory = openDirectory(path);
    const writer = new IndexWriter(directory, silentLog);
    const documents = ['one whale sings', 'two whales and a moon', 'tides Tides TIDES of the moon'].map(
      (text, at) => makeDocument(`page-${at}`, text, `Title ${at}`),
    );
    const name = await addSegment(directory, writer, documents);
    writer.commit();
    writer.close();
    return { segment: directory.read(name), manifest: directory.read(MANIFEST_NAME) };
  } finally {
    rmSync(path, { recursive: true, force: true });
  }
}

export const STORAGE_TARGETS: readonly FuzzTarget[] = [
  {
    name: 'journal',
    about: 'a journal file with damage: a CorruptError or the records, no other error',
    seeds: () => [encodeJournalFile([...encodeFrames(journalRecords())])],
    run: readJournalBytes,
    close,
  },
  {
    name: 'journal-record',
    about: 'a record whose checksum is right: a CorruptError or the record',
    seeds: journalRecords,
    words: ['"kind":"page"', '"kind":"alias"', '"kind":"gone"', '\n', '"__proto__":', 'null', '[]', '"url":'],
    run: (input) => readJournalBytes(encodeJournalFile([...encodeFrames([input])])),
    close,
  },
  {
    name: 'segment',
    about: 'a segment with damage: opening and reading it ends, and a wrong checksum is found',
    seeds: async () => [(await indexFiles()).segment],
    async run(input) {
      const { path, directory } = opened();
      writeFileSync(join(path, SEGMENT), input);
      await allowRefusal(() => withSegment(directory, (reader) => reader.verify()));
    },
    close,
  },
  {
    name: 'segment-contents',
    about:
      'a segment whose checksum is not verified, as in a search: each read ends, with values or a CorruptError',
    seeds: async () => [(await indexFiles()).segment],
    async run(input) {
      const { path, directory } = opened();
      for (const bytes of [input, resealed(input)]) {
        writeFileSync(join(path, SEGMENT), bytes);
        await allowRefusal(() => withSegment(directory, readAll));
      }
    },
    close,
  },
  storedFileTarget({
    name: 'manifest',
    about: 'the manifest of an index: a GyreError or a manifest of the declared form',
    file: MANIFEST_NAME,
    seal: 'json',
    words: [
      '"segments": [',
      '"version": 2',
      '"versions": [',
      'null',
      '[]',
      '{}',
      '"__proto__":',
      '-1',
      '1e999',
    ],
    write: async (directory) => directory.replace(MANIFEST_NAME, (await indexFiles()).manifest),
    read(directory) {
      const manifest = readManifest(directory);
      for (const name of filesOf(manifest)) assert.match(name, INDEX_FILE);
      for (const { docs, deleted } of manifest.segments)
        assert.ok(docs >= 0 && deleted >= 0 && deleted <= docs);
      for (const number of Object.values(manifest.journal)) assert.ok(number >= 0);
    },
  }),
];

function withSegment(directory: Directory, read: (reader: SegmentReader) => void): void {
  const reader = openSegment(directory, SEGMENT);
  try {
    read(reader);
  } finally {
    reader.close();
  }
}

/** Reads all of a segment. Damage to one part must not hide that of another, so each part may be refused. */
function readAll(reader: SegmentReader): void {
  const attempt = (read: () => void) => {
    try {
      read();
    } catch (error) {
      if (!(error instanceof CorruptError)) throw error;
    }
  };
  attempt(() => {
    for (const entry of reader.terms()) {
      attempt(() => checkPostings(reader.postings(entry), reader.docCount));
      attempt(() => checkPostings(reader.postingsWithPositions(entry), reader.docCount));
    }
  });
  for (const term of ['moon', 'tide', 'whale', 'zzz']) attempt(() => reader.findTerm(term));
  attempt(() => checkValue([...reader.words()]));
  attempt(() => checkValue([...reader.wordsOfTerms()]));
  attempt(() => checkValue([...reader.spellingsOf('tides'), ...reader.beginningsOf('ti')]));
  for (let doc = 0; doc < reader.docCount; doc++) {
    attempt(() => checkValue(reader.document(doc)));
    attempt(() => checkValue([reader.opening(doc, 10), reader.url(doc), reader.row(doc)]));
  }
  attempt(() => assert.ok(reader.findDocument(7n) < reader.docCount));
}

function checkPostings(cursor: PostingsCursor, docCount: number): void {
  let last = -1;
  for (let doc = cursor.advance(); doc !== NO_MORE_DOCS; doc = cursor.advance()) {
    assert.ok(doc > last && doc < docCount, `document ${doc} after ${last}, of ${docCount}`);
    last = doc;
    checkValue([cursor.frequency, ...cursor.places()]);
  }
}
