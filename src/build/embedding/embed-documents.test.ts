import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { silentLog } from '../../base/mod.ts';
import { IndexReader, IndexWriter } from '../../index/mod.ts';
import type { Embedder } from '../../meaning/mod.ts';
import { SIGNATURE_NUMBERS } from '../../index/signature.ts';
import { makeDocument } from '../../query/matching/naive.fixture.ts';
import { indexOf } from '../../query/searcher.fixture.ts';
import { applyVectors } from './apply-vectors.ts';
import { embedDocuments, missingVectors } from './embed-documents.ts';
import { writeVectorBatch } from './vector-batches.ts';

const ALL = { part: 0, parts: 1, waiting: new Set<bigint>() };

/**
 * Returns a test embedder. The vector of a text is the length of the text; the embedder records the texts it
 * was given.
 */
function embedderOf(modelId: string): Embedder & { texts: string[] } {
  const texts: string[] = [];
  return {
    modelId,
    texts,
    dimension: 2,
    maxTokens: 128,
    embed: (given) => {
      texts.push(...given);
      return given.map(({ length }) => Int8Array.of(length, 100));
    },
    knowsLanguage: (language) => language === 'en',
  };
}

async function openIndex(t: TestContext) {
  const page = (path: string, text: string) => {
    const signature = new Uint32Array(SIGNATURE_NUMBERS).fill(text.length);
    return makeDocument(`https://example.org/${path}`, text, { signature });
  };
  const german = page('de', 'Mehl und Wasser');
  const documents = [
    page('a', 'salt'),
    page('b', 'water'),
    page('same', 'water'),
    { ...german, stored: { ...german.stored, language: 'de' } },
  ];
  const index = await indexOf(t, documents);
  const reader = new IndexReader(index, silentLog);
  t.after(() => reader.close());
  return { index, reader };
}

test('pages that were shown often come first, and pages in unknown languages not at all', async (t) => {
  const { reader } = await openIndex(t);
  const embedder = embedderOf('m1');
  const { missing, embedded, unsuitable } = missingVectors(reader, embedder, ALL);
  assert.deepEqual([embedded, unsuitable, missing.length], [0, 1, 3]);
  for (const { segment, doc } of missing) {
    const fingerprint = segment.reader.table.fingerprints[doc]!;
    const timesShown = (other: bigint) => (other === fingerprint ? 10 : 0);
    const [first] = missingVectors(reader, embedder, { ...ALL, timesShown }).missing;
    assert.equal(first!.doc, doc);
  }
});

test('equal texts are embedded once, and vectors of another model are missing again', async (t) => {
  const { index, reader } = await openIndex(t);
  const embedder = embedderOf('m1');
  const entries = embedDocuments(missingVectors(reader, embedder, ALL).missing, embedder);
  assert.equal(entries.length, 3);
  assert.equal(embedder.texts.length, 2);
  const meaning = index.directory('meaning');
  writeVectorBatch(meaning, embedder, entries, 0);
  const writer = new IndexWriter(index, silentLog);
  assert.equal(applyVectors(writer, meaning, silentLog), 3);
  writer.close();
  reader.refresh();
  assert.equal(missingVectors(reader, embedder, ALL).embedded, 3);
  const swapped = missingVectors(reader, embedderOf('m2'), ALL);
  assert.deepEqual([swapped.embedded, swapped.missing.length], [0, 3]);
});
