import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { silentLog } from '../base/mod.ts';
import { IndexWriter } from './index-writer.ts';
import { addSegment, makeDocument, temporaryDirectory } from './segment/documents.fixture.ts';
import { openSegment, type SegmentReader } from './segment/segment-reader.ts';

test('a token of ten million letters is one term, cut at its limit', async (t) => {
  const segment = await segmentOf(t, `above ${'x'.repeat(10_000_000)} below`);
  assert.deepEqual(
    [...segment.terms()].map(({ term }) => term),
    ['abov', 'below', 'x'.repeat(64)],
  );
  segment.close();
});

test('NUL bytes and lone surrogates separate words', async (t) => {
  const segment = await segmentOf(t, 'one\0two\ud800three\udc00 \ud800 \0');
  assert.deepEqual(
    [...segment.terms()].map(({ term }) => term),
    ['one', 'three', 'two'],
  );
  segment.close();
});

test('the beginning of a text of a hundred million characters is indexed', async (t) => {
  const segment = await segmentOf(t, `first ${' '.repeat(100_000_000)} last`);
  assert.deepEqual(
    [...segment.terms()].map(({ term }) => term),
    ['first'],
  );
  segment.close();
});

test('a hundred million characters of words are indexed up to the limit', async (t) => {
  const segment = await segmentOf(t, 'word '.repeat(20_000_000));
  const entry = segment.findTerm('word')!;
  assert.equal(entry.docCount, 1);
  assert.equal(segment.table.lengths[0], Math.ceil((16 * 1024 * 1024) / 5));
  segment.close();
});

test('a document without words is indexed', async (t) => {
  const segment = await segmentOf(t, ' \n ');
  assert.equal(segment.docCount, 1);
  assert.deepEqual([...segment.terms()], []);
  segment.close();
});

async function segmentOf(t: TestContext, text: string): Promise<SegmentReader> {
  const directory = temporaryDirectory(t);
  const writer = new IndexWriter(directory, silentLog);
  const document = makeDocument('page', text);
  const name = await addSegment(directory, writer, [
    { ...document, stored: { ...document.stored, text: '' } },
  ]);
  writer.close();
  return openSegment(directory, name);
}
