import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testSeed } from '../../../test/helpers/seed.ts';
import { Random, silentLog } from '../../base/mod.ts';
import { IndexReader } from '../index-reader.ts';
import { IndexWriter } from '../index-writer.ts';
import { addSegment, fingerprintOf, makeDocument, temporaryDirectory } from '../segment/documents.fixture.ts';
import { exportCiff } from './ciff.ts';

type Fields = Map<number, (number | string | Buffer)[]>;

test('a reader of the published CIFF messages finds every word of every live document', async (t) => {
  const seed = testSeed();
  const random = new Random(seed);
  const directory = temporaryDirectory(t);
  const writer = new IndexWriter(directory, silentLog);
  const texts = new Map<string, string[]>();
  for (let segment = 0; segment < 3; segment++) {
    const names = Array.from({ length: random.between(1, 300) }, (_, n) => `${segment}-${n}`);
    const documents = names.map((name) => {
      const words = Array.from({ length: random.between(1, 30) }, () => `w${random.below(50)}é`);
      texts.set(`https://example.org/${name}`, words);
      return makeDocument(name, words.join(' '));
    });
    await addSegment(directory, writer, documents);
    const gone = names.filter(() => random.chance(0.2));
    writer.deleteDocuments(gone.map(fingerprintOf));
    for (const name of gone) texts.delete(`https://example.org/${name}`);
  }
  writer.commit();
  writer.close();
  const reader = new IndexReader(directory, silentLog);
  const found = readCiff(Buffer.concat([...exportCiff(reader.segments, 'a test')]));
  reader.close();
  const total = [...texts.values()].reduce((sum, words) => sum + words.length, 0);
  assert.deepEqual(found.description, 'a test');
  assert.equal(found.totalTerms, total, `seed ${seed}`);
  assert.equal(found.meanLength, total / texts.size);
  const sorted = [...texts].map(([url, words]) => [url, words.map((word) => word.replace('é', 'e')).sort()]);
  assert.deepEqual(found.documents, new Map(sorted as [string, string[]][]), `seed ${seed}`);
});

test('an index without documents is a header', () => {
  const bytes = Buffer.concat([...exportCiff([], '')]);
  assert.equal(bytes.toString('hex'), '0d08013900000000000000004200');
});

/** Rebuilds documents from the postings of an exported file, to check them: the words of each URL, sorted. */
function readCiff(file: Buffer) {
  const messages = messagesIn(file);
  const header = fieldsOf(messages[0]!);
  const listCount = Number(one(header, 2));
  const docCount = Number(one(header, 3));
  assert.equal(one(header, 1), 1);
  assert.deepEqual([one(header, 4), one(header, 5)], [listCount, docCount]);
  assert.equal(messages.length, 1 + listCount + docCount);
  const words = Array.from({ length: docCount }, (): string[] => []);
  for (const message of messages.slice(1, 1 + listCount)) readList(fieldsOf(message), words);
  const documents = new Map<string, string[]>();
  for (const [i, message] of messages.slice(1 + listCount).entries()) {
    const record = fieldsOf(message);
    assert.equal(one(record, 1), i);
    assert.equal(one(record, 3), words[i]!.length);
    documents.set(String(one(record, 2)), words[i]!.sort());
  }
  const description = String(one(header, 8));
  return { documents, description, totalTerms: one(header, 6), meanLength: one(header, 7) };
}

function readList(list: Fields, words: string[][]): void {
  const postings = list.get(4)!.map((posting) => fieldsOf(posting as Buffer));
  assert.equal(postings.length, one(list, 2));
  let doc = 0;
  let occurrences = 0;
  for (const posting of postings) {
    doc += Number(one(posting, 1));
    const frequency = Number(one(posting, 2));
    occurrences += frequency;
    words[doc]!.push(...Array<string>(frequency).fill(String(one(list, 1))));
  }
  assert.equal(occurrences, one(list, 3));
}

function one(fields: Fields, number: number): number | string | Buffer {
  return fields.get(number)?.[0] ?? 0;
}

function messagesIn(file: Buffer): Buffer[] {
  const messages: Buffer[] = [];
  for (let at = 0; at < file.length; ) {
    const length = varintAt(file, at);
    messages.push(file.subarray(length.end, length.end + length.value));
    at = length.end + length.value;
  }
  return messages;
}

function fieldsOf(message: Buffer): Fields {
  const fields: Fields = new Map();
  for (let at = 0; at < message.length; ) {
    const tag = varintAt(message, at);
    const number = tag.value >> 3;
    const { value, end } = valueAt(message, tag.end, tag.value & 7);
    fields.set(number, [...(fields.get(number) ?? []), value]);
    at = end;
  }
  return fields;
}

function valueAt(message: Buffer, at: number, wireType: number): { value: number | Buffer; end: number } {
  if (wireType === 0) return varintAt(message, at);
  if (wireType === 1) return { value: message.readDoubleLE(at), end: at + 8 };
  assert.equal(wireType, 2);
  const { value: length, end } = varintAt(message, at);
  return { value: message.subarray(end, end + length), end: end + length };
}

function varintAt(bytes: Buffer, from: number): { value: number; end: number } {
  let value = 0;
  for (let at = from, scale = 1; ; at++, scale *= 128) {
    value += (bytes[at]! % 128) * scale;
    if (bytes[at]! < 128) return { value, end: at + 1 };
  }
}
