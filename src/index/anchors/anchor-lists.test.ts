import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testSeed } from '../../../test/helpers/seed.ts';
import { type Directory, type Log, Random, silentLog } from '../../base/mod.ts';
import { termOf, tokenize } from '../../text/mod.ts';
import { positionOf } from '../fields.ts';
import { IndexReader } from '../index-reader.ts';
import { IndexWriter } from '../index-writer.ts';
import { readManifest } from '../manifest.ts';
import { runMerge } from '../merging/run-merge.ts';
import type { OpenSegment } from '../open-segment.ts';
import { NO_MORE_DOCS } from '../postings/postings-format.ts';
import {
  addSegment,
  byUrl,
  fingerprintOf,
  makeDocument,
  mergeAll,
  mergeIfDue,
  temporaryDirectory,
} from '../segment/documents.fixture.ts';
import { writeAnchorLists } from './anchor-buffer.ts';
import { type AnchorText, type AnchorTexts, textWeight } from './anchor-lists-format.ts';
import { openAnchorLists } from './anchor-lists-reader.ts';

const ENGLISH = 0;

test('the worked example of the format is encoded byte by byte', (t) => {
  const directory = temporaryDirectory(t);
  const table = {
    fingerprints: BigInt64Array.from({ length: 6 }, (_, doc) => BigInt(doc)),
    stemmings: new Uint8Array(6).fill(ENGLISH),
  };
  const texts = [
    { text: 'node streams', weight: 2 },
    { text: 'Streams', weight: 0.25 },
  ];
  assert.equal(
    writeAnchorLists(directory, 'x', table, (key) => (key === 5n ? texts : [])),
    true,
  );
  const lists = openAnchorLists(directory, 'x', 6);
  const entry = lists.findTerm('stream')!;
  assert.equal(lists.postingsBytes(entry).toString('hex'), '0b0122');
  assert.equal(lists.positionsBytes(entry).toString('hex'), '0212');
  const cursor = lists.postings(lists.findTerm('node')!);
  assert.deepEqual([cursor.advance(), cursor.frequency, cursor.places()], [5, 32, [0]]);
  assert.deepEqual([...lists.votes], [0, 0, 0, 0, 0, 36]);
  assert.equal(lists.findTerm('streams'), null);
  lists.close();
});

test('anchor lists match the texts after any changes, merges and rank runs', async (t) => {
  const seed = testSeed();
  const random = new Random(seed);
  const directory = temporaryDirectory(t);
  const writer = new IndexWriter(directory, silentLog);
  const live = new Set<string>();
  let texts = randomTexts(random);
  const textsOf: AnchorTexts = (key) => texts.get(key) ?? [];
  for (let round = 0; round < 25; round++) {
    const names = Array.from({ length: random.between(1, 20) }, () => `d${random.below(NAMES)}`);
    writer.deleteDocuments(names.map(fingerprintOf));
    const documents = names.map((name) => makeDocument(name, 'text'));
    await addSegment(directory, writer, documents, textsOf);
    for (const name of names) live.add(name);
    const gone = [...live].filter(() => random.chance(0.05));
    writer.deleteDocuments(gone.map(fingerprintOf));
    for (const name of gone) live.delete(name);
    if (random.chance(0.3)) {
      texts = randomTexts(random);
      writer.setAnchors(textsOf);
    }
    await mergeIfDue(directory, writer);
    writer.commit();
    assert.deepEqual(anchorsIn(directory), expected(live, texts), `seed ${seed}, round ${round}`);
  }
  await mergeAll(directory, writer);
  writer.commit();
  assert.deepEqual(anchorsIn(directory), expected(live, texts), `seed ${seed}, at the end`);
  writer.close();
});

test('anchor texts that change during a merge apply to the merged segment', async (t) => {
  const directory = temporaryDirectory(t);
  const writer = new IndexWriter(directory, silentLog);
  for (let n = 0; n < 12; n++) await addSegment(directory, writer, [makeDocument(`m${n}`, 'x')], says('old'));
  writer.commit();
  const plan = writer.planMerge()!;
  await runMerge(directory, plan, byUrl);
  writer.setAnchors(says('new'));
  writer.adoptMerge(plan);
  writer.commit();
  writer.close();
  const found = anchorsIn(directory);
  assert.equal(found.length, 12);
  for (const line of found) assert.match(line, / new 16 /);
});

test('a rank run rewrites anchors and leaves the segment as it is', async (t) => {
  const directory = temporaryDirectory(t);
  const writer = new IndexWriter(directory, silentLog);
  const name = await addSegment(directory, writer, [makeDocument('a', 'x')], says('old name'));
  writer.commit();
  const before = directory.read(name);
  const old = readManifest(directory).segments[0]!.anchors!;
  writer.setAnchors(says('new name'));
  writer.commit();
  assert.deepEqual(directory.read(name), before);
  assert.equal(directory.has(old), false, 'the old lists are gone');
  writer.setAnchors(() => []);
  writer.commit();
  writer.close();
  assert.equal(readManifest(directory).segments[0]!.anchors, null, 'links that are gone leave nothing');
  assert.deepEqual(anchorsIn(directory), []);
});

test('damaged anchor lists are skipped with a warning', async (t) => {
  const directory = temporaryDirectory(t);
  const writer = new IndexWriter(directory, silentLog);
  await addSegment(directory, writer, [makeDocument('a', 'x')], says('name'));
  writer.commit();
  writer.close();
  const { anchors } = readManifest(directory).segments[0]!;
  const bytes = directory.read(anchors!);
  for (const damaged of [Buffer.alloc(0), bytes.subarray(0, 20), flipped(bytes, 10), flipped(bytes, 40)]) {
    directory.replace(anchors!, damaged);
    const warnings: string[] = [];
    const log: Log = {
      ...silentLog,
      warn: (event, fields) => warnings.push(`${event} ${JSON.stringify(fields)}`),
    };
    const reader = new IndexReader(directory, log);
    assert.equal(reader.segments.length, 1);
    assert.equal(reader.segments[0]!.anchors, null);
    assert.match(warnings.join(), /gyre rank/);
    reader.close();
  }
});

test('lists of a segment with another number of documents are refused', async (t) => {
  const directory = temporaryDirectory(t);
  const table = { fingerprints: BigInt64Array.of(1n), stemmings: Uint8Array.of(ENGLISH) };
  writeAnchorLists(directory, 'x', table, says('name'));
  assert.throws(() => openAnchorLists(directory, 'x', 2), /expected 2 documents, got 1/);
});

const NAMES = 120;
const WORDS = ['node', 'streams', 'stream', 'the', 'http', 'client', '東京都', 'x'];

function says(text: string): AnchorTexts {
  return () => [{ text, weight: 1 }];
}

function randomTexts(random: Random): Map<bigint, AnchorText[]> {
  const texts = new Map<bigint, AnchorText[]>();
  for (let n = 0; n < NAMES; n++) {
    if (random.chance(0.4)) continue;
    const own = Array.from({ length: random.between(1, 5) }, () => ({
      text: Array.from({ length: random.below(4) }, () => random.pick(WORDS)).join(' '),
      weight: random.pick([0.01, 0.25, 1, 3.7, 400]),
    }));
    texts.set(fingerprintOf(`d${n}`), own);
  }
  return texts;
}

/**
 * Returns the expected anchor lists as text, one line for each document and term: fingerprint, term, frequency,
 * sum of votes, positions.
 */
function expected(live: ReadonlySet<string>, texts: ReadonlyMap<bigint, readonly AnchorText[]>): string[] {
  const lines: string[] = [];
  for (const name of live) {
    const key = fingerprintOf(name);
    const own = new Map<string, { frequency: number; positions: number[] }>();
    let position = 0;
    let votes = 0;
    for (const { text, weight } of texts.get(key) ?? []) {
      tokenize(text, (word) => {
        const known = own.get(termOf(word, ENGLISH)) ?? { frequency: 0, positions: [] };
        own.set(termOf(word, ENGLISH), known);
        known.frequency += textWeight(weight);
        known.positions.push(position++);
      });
      position += 8;
      votes += textWeight(weight);
    }
    for (const [term, { frequency, positions }] of own)
      lines.push(`${key} ${term} ${frequency} ${votes} ${positions}`);
  }
  return lines.sort();
}

function anchorsIn(directory: Directory): string[] {
  const reader = new IndexReader(directory, silentLog);
  const lines = reader.segments.flatMap(linesOf);
  reader.close();
  return lines.sort();
}

function linesOf({ reader, anchors, deletes }: OpenSegment): string[] {
  const lines: string[] = [];
  for (const entry of anchors?.terms() ?? []) {
    const cursor = anchors!.postings(entry);
    for (let doc = cursor.advance(); doc !== NO_MORE_DOCS; doc = cursor.advance()) {
      if (deletes.has(doc)) continue;
      const positions = cursor.places().map(positionOf);
      const key = reader.table.fingerprints[doc];
      lines.push(`${key} ${entry.term} ${cursor.frequency} ${anchors!.votes[doc]} ${positions}`);
    }
  }
  return lines;
}

function flipped(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[at]! ^= 1;
  return copy;
}
