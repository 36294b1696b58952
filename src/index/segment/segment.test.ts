import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crc32 } from 'node:zlib';
import { testSeed } from '../../../test/helpers/seed.ts';
import { CorruptError, type Directory, Random } from '../../base/mod.ts';
import { stemmingOf, titleKeyOf } from '../../text/mod.ts';
import { Field, fieldFormOf, fieldOf, positionOf } from '../fields.ts';
import { SegmentBuffer } from '../indexing/segment-buffer.ts';
import { NO_MORE_DOCS } from '../postings/postings-format.ts';
import { byUrl, fingerprintOf, makeDocument, temporaryDirectory } from './documents.fixture.ts';
import { decodeFooter, encodeFooter } from './segment-format.ts';
import { openSegment, type SegmentReader } from './segment-reader.ts';

const NAME = 'seg-00000001.seg';

test('documents and rows are read back in the order of their keys', async (t) => {
  const directory = temporaryDirectory(t);
  const documents = ['c', 'a', 'b'].map((name) => makeDocument(name, `text of ${name} 🙂`, `Title ${name}`));
  const reader = await segmentOf(directory, documents);
  assert.equal(reader.docCount, 3);
  assert.deepEqual(
    [0, 1, 2].map((doc) => reader.document(doc)),
    [documents[1]!.stored, documents[2]!.stored, documents[0]!.stored],
  );
  assert.deepEqual(reader.row(2), {
    fingerprint: fingerprintOf('c'),
    host: 'example.org',
    length: 5,
    titleLength: 2,
    subjectStart: 0,
    subjectLength: 2,
    subjectSize: 6,
    titleKey: titleKeyOf('title c'),
    translationKey: 0,
    contentStart: 18,
    nameLength: 0,
    isEntry: false,
    urlDepth: 1,
    stemming: stemmingOf('en'),
    language: 'en',
    type: '',
    day: 0,
    quality: 0,
    signature: new Uint32Array(10),
    urlFit: 0,
  });
  assert.equal(reader.findDocument(fingerprintOf('b')), 1);
  assert.equal(reader.findDocument(fingerprintOf('d')), -1);
  reader.close();
});

test('languages, types, days, qualities, signatures and limits of quotation are read back', async (t) => {
  const rows = [
    { name: 'a', language: 'en', type: 'html', day: 20_000, quality: 255, maxSnippet: 0, urlFit: 26 },
    { name: 'b', language: 'en', type: 'html', day: 0, quality: 0, maxSnippet: 160, urlFit: 0 },
    { name: 'c', language: 'de', type: 'pdf', day: 65_535, quality: 1, urlFit: 13 },
  ].map((row, at) => ({
    ...row,
    signature: Uint32Array.from({ length: 10 }, (_, number) => 2 ** 31 + 16 * at + number),
  }));
  const documents = rows.map(({ name, language, maxSnippet, ...columns }) => {
    const document = makeDocument(name, '');
    const limit = maxSnippet === undefined ? {} : { maxSnippet };
    return { ...document, stored: { ...document.stored, language, ...limit }, ...columns };
  });
  const reader = await segmentOf(temporaryDirectory(t), documents);
  const found = rows.map(({ name }, doc) => {
    const { language, type, day, quality, signature, urlFit } = reader.row(doc);
    const { maxSnippet } = reader.document(doc);
    const limit = maxSnippet === undefined ? {} : { maxSnippet };
    return { name, language, type, day, quality, signature, urlFit, ...limit };
  });
  assert.deepEqual(found, rows);
  assert.deepEqual(reader.table.languages, ['en', 'de']);
  reader.close();
});

test('noarchive is read back, also after a snippet limit', async (t) => {
  const wishes: object[] = [{}, { noCopy: true }, { noCopy: true, maxSnippet: 5 }];
  const documents = wishes.map((wish, at) => {
    const document = makeDocument(`${at}`, 'text');
    return { ...document, stored: { ...document.stored, ...wish } };
  });
  const reader = await segmentOf(temporaryDirectory(t), documents);
  const found = documents.map((_, doc) => reader.document(doc).noCopy);
  assert.deepEqual(found, [undefined, true, true]);
  assert.equal(reader.document(2).maxSnippet, 5);
  reader.close();
});

test('pictures and code are read back', async (t) => {
  const images = [{ url: 'https://a.example/i.png', label: 'A tide 🙂', context: 'Heading\nfile' }];
  const code = [
    { start: 3, end: 9, code: 'a &&\n  b' },
    { start: 20, end: 21, code: 'c' },
  ];
  const wishes: object[] = [{ images }, { code, images, noCopy: true }, {}];
  const documents = wishes.map((wish, at) => {
    const document = makeDocument(`${at}`, 'text');
    return { ...document, stored: { ...document.stored, ...wish } };
  });
  const reader = await segmentOf(temporaryDirectory(t), documents);
  assert.deepEqual(
    [0, 1, 2].map((doc) => reader.document(doc)),
    documents.map(({ stored }) => stored),
  );
  reader.close();
});

test('headings are read back, with and without noarchive', async (t) => {
  const headings = [
    { level: 1, start: 0, end: 5 },
    { level: 6, start: 5, end: 900 },
    { level: 3, start: 1000, end: 1001 },
  ];
  const wishes: object[] = [{ headings }, { headings, noCopy: true }, { headings: [] }];
  const documents = wishes.map((wish, at) => {
    const document = makeDocument(`${at}`, 'text');
    return { ...document, stored: { ...document.stored, ...wish } };
  });
  const reader = await segmentOf(temporaryDirectory(t), documents);
  const found = documents.map((_, doc) => reader.document(doc));
  assert.deepEqual(
    found.map((document) => document.headings),
    [headings, headings, undefined],
  );
  assert.deepEqual(
    found.map(({ noCopy }) => noCopy),
    [undefined, true, undefined],
  );
  reader.close();
});

test('a term has its documents, weighted frequencies, positions and fields', async (t) => {
  const document = {
    ...makeDocument('x', 'Intro to rust. More rust\nrust', 'Rust'),
    fieldRanges: [
      { start: 0, end: 13, field: Field.heading },
      { start: 9, end: 13, field: Field.link },
    ],
    urlText: 'example.org/rust',
  };
  const reader = await segmentOf(temporaryDirectory(t), [makeDocument('a', 'nothing'), document]);
  const cursor = reader.postings(reader.findTerm('rust')!);
  assert.equal(cursor.advance(), 1);
  assert.equal(cursor.frequency, 16 + 8 + 4 + 4 + 8);
  const places = cursor.places().map((place) => [positionOf(place), fieldOf(place)]);
  assert.deepEqual(places, [
    [0, Field.title],
    [19, Field.heading],
    [21, Field.body],
    [24, Field.body],
    [43, Field.url],
  ]);
  assert.equal(cursor.advance(), NO_MORE_DOCS);
  assert.equal(reader.findTerm('absent'), null);
  reader.close();
});

test('a later document of a URL replaces the earlier one, and a removed one is gone', async (t) => {
  const directory = temporaryDirectory(t);
  const buffer = new SegmentBuffer();
  buffer.add(makeDocument('a', 'first version'));
  buffer.add(makeDocument('b', 'other words'));
  buffer.add(makeDocument('a', 'second version'));
  assert.equal(buffer.remove(fingerprintOf('b')), true);
  assert.equal(buffer.remove(fingerprintOf('b')), false);
  await buffer.write(directory, NAME, byUrl);
  const reader = openSegment(directory, NAME);
  assert.deepEqual(
    [...reader.terms()].map(({ term, docCount }) => `${term} ${docCount}`),
    ['second 1', 'version 1'],
  );
  assert.equal(reader.document(0).text, 'second version');
  reader.close();
});

test('many documents over many frames and blocks are all found', async (t) => {
  const count = 700;
  const text = (n: number) => `common word${n} ${'filler '.repeat(n % 50)}`;
  const documents = Array.from({ length: count }, (_, n) =>
    makeDocument(String(n).padStart(4, '0'), text(n)),
  );
  const reader = await segmentOf(temporaryDirectory(t), documents);
  assert.equal(reader.findTerm('common')!.docCount, count);
  for (let n = 0; n < count; n += 37) {
    const cursor = reader.postings(reader.findTerm(`word${n}`)!);
    assert.equal(cursor.advance(), n);
    assert.equal(reader.document(n).text, text(n));
    assert.equal(reader.findDocument(documents[n]!.fingerprint), n);
  }
  reader.close();
});

test('any flipped byte is detected, and the error has file and offset', async (t) => {
  const directory = temporaryDirectory(t);
  const documents = ['a', 'b', 'c'].map((name) => makeDocument(name, `some text of ${name}`, name));
  (await segmentOf(directory, documents)).close();
  const whole = directory.read(NAME);
  const seed = testSeed();
  const random = new Random(seed);
  for (let round = 0; round < 200; round++) {
    const at = random.below(whole.length);
    const broken = Buffer.from(whole);
    broken[at]! ^= 1 << random.below(8);
    assert.throws(
      () => verify(directory, broken),
      (error) => error instanceof CorruptError && error.message.startsWith(NAME),
      `seed ${seed}: byte ${at}`,
    );
  }
});

test('a segment truncated anywhere is corrupt', async (t) => {
  const directory = temporaryDirectory(t);
  (await segmentOf(directory, [makeDocument('a', 'some text')])).close();
  const whole = directory.read(NAME);
  for (let length = 0; length < whole.length; length += 7) {
    assert.throws(() => verify(directory, whole.subarray(0, length)), CorruptError, `${length} bytes`);
  }
});

test('a segment of a newer version is refused with advice', async (t) => {
  const directory = temporaryDirectory(t);
  (await segmentOf(directory, [makeDocument('a', 'some text')])).close();
  const newer = directory.read(NAME);
  newer.writeUInt32LE(99, 4);
  newer.writeUInt32LE(crc32(newer.subarray(0, -4)), newer.length - 4);
  directory.replace(NAME, newer);
  assert.throws(() => openSegment(directory, NAME), /format version 99.*upgrade Gyre/);
});

test('a segment of an older format is refused with advice', async (t) => {
  const directory = temporaryDirectory(t);
  (await segmentOf(directory, [makeDocument('a', 'text')])).close();
  const older = Buffer.from(directory.read(NAME));
  older.writeUInt32LE(1, 4);
  older.writeUInt32LE(crc32(older.subarray(0, -4)), older.length - 4);
  directory.replace(NAME, older);
  assert.throws(() => openSegment(directory, NAME), /format version 1.*`gyre build --rebuild`/);
});

test('forms of a word have one term, and each form is stored', async (t) => {
  const reader = await segmentOf(temporaryDirectory(t), [
    makeDocument('a', 'running runs run running'),
    {
      ...makeDocument('b', 'running Häuser Haus'),
      stored: { ...makeDocument('b', '').stored, language: 'de' },
    },
    makeDocument('c', 'Run happy'),
  ]);
  const run = reader.findTerm('run')!;
  assert.deepEqual(run.forms, [
    { word: 'run', docCount: 2 },
    { word: 'running', docCount: 1 },
    { word: 'runs', docCount: 1 },
  ]);
  const cursor = reader.postings(run);
  cursor.advance();
  assert.deepEqual(
    cursor.places().map((place) => [positionOf(place), fieldFormOf(place)]),
    [
      [16, 1],
      [17, 2],
      [18, 0],
      [19, 1],
    ],
  );
  assert.equal(reader.findTerm('running')?.docCount, 1, 'no form of `run` in German');
  assert.equal(reader.findTerm('running')?.forms, null);
  assert.deepEqual(reader.findTerm('happi')?.forms, [{ word: 'happy', docCount: 1 }]);
  assert.deepEqual(
    [...reader.words()].map(({ word, docCount }) => `${word} ${docCount}`),
    ['happy 1', 'haus 1', 'häuser 1', 'run 2', 'running 1', 'running 1', 'runs 1'],
  );
  reader.close();
});

test('an open segment is readable after its file is removed', async (t) => {
  const directory = temporaryDirectory(t);
  const reader = await segmentOf(directory, [makeDocument('a', 'still here')]);
  directory.remove(NAME);
  assert.equal(reader.postings(reader.findTerm('still')!).advance(), 0);
  assert.equal(reader.document(0).text, 'still here');
  reader.close();
});

test('the footer of the worked example is encoded byte by byte', () => {
  const offsets = { postingsAt: 108, dictionaryAt: 128, wordsAt: 139, tablesAt: 148 };
  const footer = { ...offsets, docCount: 1, termCount: 9, wordCount: 2 };
  const bytes = encodeFooter(footer);
  assert.equal(
    bytes.toString('hex'),
    '6c00000000000000' +
      '8000000000000000' +
      '8b00000000000000' +
      '9400000000000000' +
      '01000000' +
      '09000000' +
      '02000000',
  );
  assert.deepEqual(decodeFooter(bytes, NAME, 200), footer);
  assert.throws(() => decodeFooter(bytes, NAME, 130), /at byte 130: expected ascending sections/);
});

async function segmentOf(
  directory: Directory,
  documents: readonly Parameters<SegmentBuffer['add']>[0][],
): Promise<SegmentReader> {
  const buffer = new SegmentBuffer();
  for (const document of documents) buffer.add(document);
  await buffer.write(directory, NAME, byUrl);
  const reader = openSegment(directory, NAME);
  reader.verify();
  return reader;
}

function verify(directory: Directory, bytes: Buffer): void {
  directory.replace(NAME, bytes);
  const reader = openSegment(directory, NAME);
  try {
    reader.verify();
  } finally {
    reader.close();
  }
}
