import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testSeed } from '../../../test/helpers/seed.ts';
import { type Directory, Random } from '../../base/mod.ts';
import type { IndexDocument } from '../document.ts';
import { SegmentBuffer } from '../indexing/segment-buffer.ts';
import { NO_MORE_DOCS } from '../postings/postings-format.ts';
import { DocSet } from '../segment/doc-set.ts';
import { byUrl, makeDocument, temporaryDirectory } from '../segment/documents.fixture.ts';
import { openSegment, type SegmentReader } from '../segment/segment-reader.ts';
import { type MergeInput, mergeSegments } from './merge.ts';
import { chooseMerge } from './merge-policy.ts';

test('a merged segment equals, byte by byte, one built from its live documents', async (t) => {
  const directory = temporaryDirectory(t);
  const seed = testSeed();
  const random = new Random(seed);
  const documents = Array.from({ length: 400 }, (_, n) =>
    randomDocument(`${random.below(1e9)}-${n}`, random),
  );
  const inputs: MergeInput[] = [];
  const live: typeof documents = [];
  for (let part = 0; part < 4; part++) {
    const own = documents.slice(part * 100, part * 100 + 100);
    const reader = await write(directory, `part-${part}.seg`, own);
    const deletes = new DocSet(100);
    for (const document of own) {
      if (random.chance(0.3)) deletes.add(reader.findDocument(document.fingerprint));
      else live.push(document);
    }
    inputs.push({ reader, deletes });
  }
  await mergeSegments(directory, 'merged.seg', inputs, byUrl);
  for (const { reader } of inputs) reader.close();
  (await write(directory, 'direct.seg', live)).close();
  assert.ok(directory.read('merged.seg').equals(directory.read('direct.seg')), `seed ${seed}`);
});

test('terms of only deleted documents disappear', async (t) => {
  const directory = temporaryDirectory(t);
  const reader = await write(directory, 'a.seg', [makeDocument('a', 'gone both'), makeDocument('b', 'both')]);
  const deletes = new DocSet(2);
  deletes.add(0);
  await mergeSegments(directory, 'm.seg', [{ reader, deletes }], byUrl);
  reader.close();
  const merged = openSegment(directory, 'm.seg');
  assert.deepEqual(
    [...merged.terms()].map(({ term }) => term),
    ['both'],
  );
  const cursor = merged.postings(merged.findTerm('both')!);
  assert.deepEqual([cursor.advance(), cursor.advance()], [0, NO_MORE_DOCS]);
  merged.close();
});

test('an aborted merge leaves no files', async (t) => {
  const directory = temporaryDirectory(t);
  const documents = Array.from({ length: 3000 }, (_, n) => makeDocument(`${n}`, `word${n} `.repeat(20)));
  const reader = await write(directory, 'a.seg', documents);
  const stop = new AbortController();
  const merge = mergeSegments(
    directory,
    'm.seg',
    [{ reader, deletes: new DocSet(3000) }],
    byUrl,
    stop.signal,
  );
  stop.abort(new Error('called off'));
  await assert.rejects(merge, /called off/);
  assert.deepEqual(directory.list(), ['a.seg']);
  assert.equal(directory.has('m.seg.part'), false);
  reader.close();
});

test('eight segments of a tier are merged, smallest tier first; mostly deleted ones are rewritten alone', () => {
  const sizes = (docs: number[]) => docs.map((liveDocs) => ({ liveDocs, deletedDocs: 0 }));
  assert.deepEqual(chooseMerge([]), []);
  assert.deepEqual(chooseMerge(sizes([1, 2, 3, 4, 5, 6, 7])), []);
  assert.deepEqual(chooseMerge(sizes([1, 2, 3, 4, 5, 6, 7, 511])), [0, 1, 2, 3, 4, 5, 6, 7]);
  assert.deepEqual(chooseMerge(sizes([9000, ...Array(8).fill(600), 1])), [1, 2, 3, 4, 5, 6, 7, 8]);
  assert.deepEqual(chooseMerge(sizes(Array(20).fill(3))), [0, 1, 2, 3, 4, 5, 6, 7]);
  assert.deepEqual(chooseMerge([{ liveDocs: 5, deletedDocs: 5 }]), []);
  assert.deepEqual(
    chooseMerge([
      { liveDocs: 900, deletedDocs: 0 },
      { liveDocs: 5, deletedDocs: 6 },
    ]),
    [1],
  );
});

async function write(
  directory: Directory,
  name: string,
  documents: readonly Parameters<SegmentBuffer['add']>[0][],
): Promise<SegmentReader> {
  const buffer = new SegmentBuffer();
  for (const document of documents) buffer.add(document);
  await buffer.write(directory, name, byUrl);
  return openSegment(directory, name);
}

/**
 * Returns a random document in one of several languages, so that a word may have several terms, and a term
 * several forms.
 */
function randomDocument(name: string, random: Random): IndexDocument {
  const endings = ['', 'n', 'ing', 'en', 's', 'es'];
  const words = Array.from(
    { length: 8 },
    () => `wort${random.below(40)}`.replace(/\d/g, 'x') + random.pick(endings),
  );
  const rare = `haus${String.fromCharCode(97 + random.below(26))}${String.fromCharCode(97 + random.below(26))}`;
  const text = `${randomText(random)} ${words.join(' ')} ${rare}${random.pick(endings)}`;
  const document = makeDocument(name, text, randomText(random));
  return { ...document, stored: { ...document.stored, language: random.pick(['en', 'de', 'fr', 'pl']) } };
}

function randomText(random: Random): string {
  return Array.from({ length: random.below(30) }, () => `w${Math.floor(random.next() ** 3 * 200)}`).join(' ');
}
