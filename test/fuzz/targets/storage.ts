/** Our own files after damage: journal, segments, manifest. They are read again after any accident. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Directory, openDirectory, silentLog } from '../../../src/base/mod.ts';
import { IndexWriter } from '../../../src/index/mod.ts';
import { MANIFEST_NAME, readManifest } from '../../../src/index/manifest.ts';
import { addSegment, makeDocument } from '../../../src/index/segment/documents.fixture.ts';
import { openSegment } from '../../../src/index/segment/segment-reader.ts';
import { readFrames, readJournal } from '../../../src/journal/journal-reader.ts';
import { encodeFrames, encodeJournalFile, encodeRecord } from '../../../src/journal/journal-writer.ts';
import { parsePage } from '../../../src/page/parse-page.ts';
import { canonicalize } from '../../../src/url/mod.ts';
import { allowRefusal, checkValue, type FuzzTarget } from '../target.ts';

const ADDRESS = canonicalize('https://example.org/')!;
const JOURNAL = '00000001.journal';
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
      await allowRefusal(() => {
        const reader = openSegment(directory, SEGMENT);
        try {
          reader.verify();
          for (const { term } of reader.terms()) reader.findTerm(term);
          for (let doc = 0; doc < reader.docCount; doc++) checkValue(reader.document(doc));
        } finally {
          reader.close();
        }
      });
    },
    close,
  },
  {
    name: 'manifest',
    about: 'the manifest of an index with damage: a GyreError or a manifest',
    seeds: async () => [(await indexFiles()).manifest],
    words: ['"segments"', '"version"', 'null', '[]', '{}', '"__proto__":', '-1', '1e999'],
    async run(input) {
      const { path, directory } = opened();
      writeFileSync(join(path, MANIFEST_NAME), input);
      const manifest = await allowRefusal(() => readManifest(directory));
      if (manifest) assert.ok(Array.isArray(manifest.segments));
    },
    close,
  },
];
