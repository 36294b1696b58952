import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testSeed } from '../../../test/helpers/seed.ts';
import { type Directory, type Log, Random, silentLog } from '../../base/mod.ts';
import { IndexReader } from '../index-reader.ts';
import { IndexWriter } from '../index-writer.ts';
import {
  addSegment,
  fingerprintOf,
  makeDocument,
  mergeAll,
  temporaryDirectory,
} from '../segment/documents.fixture.ts';
import { summarizeIndex } from '../index-summary.ts';
import { stampOf } from './segment-vectors.ts';
import { emptyColumn, readVectorColumn, readVectors, setVector, writeVectorColumn } from './vector-column.ts';

const MODEL = 'model-1';

/** The unit in which the numbers of short vectors are stored. Multiples of it are stored without loss. */
const STEP = 12;

test('the kernel computes the same dot products as a loop over the stored numbers', (t) => {
  const seed = testSeed();
  const random = new Random(seed);
  for (const dimension of [1, 15, 16, 17, 100, 128, 256, 384]) {
    const count = random.between(1, 300);
    const numbers = (length: number) => Int8Array.from({ length }, () => random.between(-128, 127));
    const column = emptyColumn(MODEL, dimension, count);
    for (let doc = 0; doc < count; doc++) if (random.chance(0.9)) setVector(column, doc, numbers(dimension));
    const directory = temporaryDirectory(t);
    writeVectorColumn(directory, 'x', column);
    const vectors = readVectors(directory, 'x', count);
    const query = numbers(dimension);
    const expected = Array.from(
      { length: count },
      (_, doc) => vectors.vectorAt(doc)?.reduce((sum, number, at) => sum + number * query[at]!, 0) ?? 0,
    );
    assert.deepEqual([...vectors.compare(query)], expected, `seed ${seed}`);
    const doc = random.below(count);
    assert.equal(vectors.compareOne(doc, query), expected[doc], `seed ${seed}`);
  }
});

test('a number is stored as the nearest of 15 levels', (t) => {
  const column = emptyColumn(MODEL, 40, 1);
  const vector = Int8Array.from({ length: 40 }, (_, i) => 6 * i - 120);
  setVector(column, 0, vector);
  const directory = temporaryDirectory(t);
  writeVectorColumn(directory, 'x', column);
  const stored = readVectors(directory, 'x', 1).vectorAt(0)!;
  for (const [i, number] of vector.entries()) {
    const nearest = Math.max(-7, Math.min(7, Math.round(number / STEP))) * STEP + 0;
    assert.equal(stored[i], nearest, `${number}`);
  }
});

test('a column has the documented bytes and reads back', (t) => {
  const directory = temporaryDirectory(t);
  const column = emptyColumn('m1', 2, 2);
  setVector(column, 0, Int8Array.of(36, -48));
  writeVectorColumn(directory, 'x', column);
  const bytes = directory.read('x').toString('hex').toUpperCase();
  const vectors = `030C${'00'.repeat(14)}${'00'.repeat(16)}`;
  assert.equal(bytes, `47594D31010000000200000002000000${'6D31'}${vectors}${bytes.slice(-8)}`);
  assert.deepEqual(readVectorColumn(directory, 'x', 2), { ...column, vectors: Buffer.from(column.vectors) });
  assert.throws(() => readVectorColumn(directory, 'x', 3), /expected a body of 58 bytes/);
});

test('vectors are visible after the commit, also those that are added later', async (t) => {
  const directory = temporaryDirectory(t);
  await change(directory, async (writer) => {
    await addSegment(directory, writer, [makeDocument('a', 'one'), makeDocument('b', 'two')]);
    writer.commit();
  });
  assert.equal(await embed(directory, { a: [1, 2], nobody: [9, 9] }), 1);
  assert.deepEqual(vectorsOf(directory), { a: [1, 2], b: null });
  assert.equal(await embed(directory, { b: [3, 4] }), 1);
  assert.deepEqual(vectorsOf(directory), { a: [1, 2], b: [3, 4] });
  assert.equal(summarizeIndex(directory).embeddedDocs, 2);
});

test('vectors of another model replace those of the old one', async (t) => {
  const directory = temporaryDirectory(t);
  await change(directory, async (writer) => {
    await addSegment(directory, writer, [makeDocument('a', 'one'), makeDocument('b', 'two')]);
    writer.commit();
  });
  await embed(directory, { a: [1, 2], b: [3, 4] });
  await embed(directory, { b: [5, 6, 7] }, 'model-2');
  assert.deepEqual(vectorsOf(directory, 'model-2'), { a: null, b: [5, 6, 7] });
});

test('a merge keeps the vectors of live documents', async (t) => {
  const directory = temporaryDirectory(t);
  await change(directory, async (writer) => {
    await addSegment(directory, writer, [makeDocument('a', 'one'), makeDocument('b', 'two')]);
    await addSegment(directory, writer, [makeDocument('c', 'three'), makeDocument('d', 'four')]);
    writer.commit();
  });
  await embed(directory, { a: [1, 2], b: [3, 4], d: [5, 6] });
  await change(directory, async (writer) => {
    writer.deleteDocuments([fingerprintOf('b')]);
    await mergeAll(directory, writer);
    writer.commit();
  });
  assert.deepEqual(vectorsOf(directory), { a: [1, 2], c: null, d: [5, 6] });
});

test('a page that is indexed again with the same content keeps its vector, a changed page does not', async (t) => {
  const directory = temporaryDirectory(t);
  const page = (name: string, content: number) => ({
    ...makeDocument(name, 'text'),
    signature: Uint32Array.from({ length: 10 }, () => content),
  });
  await change(directory, async (writer) => {
    await addSegment(directory, writer, [page('a', 1), page('b', 2)]);
    writer.commit();
  });
  await embed(directory, { a: [1, 2], b: [3, 4] });
  await change(directory, async (writer) => {
    writer.deleteDocuments(['a', 'b'].map(fingerprintOf));
    await addSegment(directory, writer, [page('a', 1), page('b', 7)]);
    writer.commit();
  });
  assert.deepEqual(vectorsOf(directory), { a: [1, 2], b: null });
  await change(
    directory,
    async (writer) => {
      await addSegment(directory, writer, [page('b', 7), page('a', 1)]);
      writer.commit();
    },
    { fresh: true },
  );
  assert.deepEqual(vectorsOf(directory), { a: [1, 2], b: null }, 'also after a rebuild of the index');
});

test('damaged vectors are left out with a warning, and the documents stay', async (t) => {
  const directory = temporaryDirectory(t);
  await change(directory, async (writer) => {
    await addSegment(directory, writer, [makeDocument('a', 'one')]);
    writer.commit();
  });
  await embed(directory, { a: [1, 2] });
  const file = directory.list().find((name) => name.includes('.vec-'))!;
  const bytes = directory.read(file);
  bytes[20]! ^= 1;
  directory.replace(file, bytes);
  const warnings: unknown[] = [];
  const log: Log = { ...silentLog, warn: (message, fields) => warnings.push([message, fields?.advice]) };
  const reader = new IndexReader(directory, log);
  assert.deepEqual(warnings, [['vectors damaged, skipped', 'run gyre embed']]);
  assert.equal(reader.segments[0]!.vectors, null);
  assert.equal(reader.segments[0]!.liveDocs, 1);
  reader.close();
});

async function change(
  directory: Directory,
  work: (writer: IndexWriter) => Promise<void>,
  options: { fresh?: boolean } = {},
): Promise<void> {
  const writer = new IndexWriter(directory, silentLog, options);
  await work(writer);
  writer.close();
}

/** Sets vectors of documents in the index, given by the names of the documents. */
async function embed(
  directory: Directory,
  vectors: Record<string, number[]>,
  model = MODEL,
): Promise<number> {
  const stamps = new Map<bigint, number>();
  const reader = new IndexReader(directory, silentLog);
  for (const { reader: segment, deletes } of reader.segments)
    for (const [doc, fingerprint] of segment.table.fingerprints.entries())
      if (!deletes.has(doc)) stamps.set(fingerprint, stampOf(segment.table, doc));
  reader.close();
  let count = 0;
  await change(directory, async (writer) => {
    const added = Object.entries(vectors).map(([name, numbers]) => {
      const fingerprint = fingerprintOf(name);
      return [
        fingerprint,
        { vector: Int8Array.from(numbers, (number) => number * STEP), stamp: stamps.get(fingerprint) ?? 0 },
      ] as const;
    });
    count = writer.setVectors(model, Object.values(vectors)[0]!.length, new Map(added));
    writer.commit();
  });
  return count;
}

/** Returns the vectors of the live documents, by the names of the documents. */
function vectorsOf(directory: Directory, model = MODEL): Record<string, number[] | null> {
  const reader = new IndexReader(directory, silentLog);
  const found: Record<string, number[] | null> = {};
  for (const { reader: segment, deletes, vectors } of reader.segments) {
    for (let doc = 0; doc < segment.docCount; doc++) {
      if (deletes.has(doc)) continue;
      const vector = vectors?.model === model ? vectors.vectorAt(doc) : null;
      found[segment.document(doc).url.replace('https://example.org/', '')] =
        vector && Array.from(vector, (number) => number / STEP);
    }
  }
  reader.close();
  return Object.fromEntries(Object.entries(found).sort());
}
