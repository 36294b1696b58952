import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testSeed } from '../../../test/helpers/seed.ts';
import { ByteWriter, CorruptError, Random } from '../../base/mod.ts';
import { FIELD_WEIGHTS, Field, fieldFormOf, fieldOf, placeOf, positionOf } from '../fields.ts';
import { NO_MORE_DOCS } from './postings-format.ts';
import { PostingsCursor } from './postings-reader.ts';
import { PostingsWriter } from './postings-writer.ts';

const FORMS = 40;

interface Posting {
  doc: number;
  frequency: number;
  places: number[];
}

test('the worked example of the format is encoded byte by byte', () => {
  const { postings, positions } = encode([
    { doc: 5, frequency: 16, places: [placeOf(0, Field.title)] },
    { doc: 7, frequency: 8, places: [placeOf(3, Field.body), placeOf(20, Field.body, 1)] },
  ]);
  assert.equal(postings.toString('hex'), '0b000f030106');
  assert.equal(positions.toString('hex'), '0101062308');
});

test('every list is read back as it was written', () => {
  const seed = testSeed();
  const random = new Random(seed);
  for (const count of [1, 2, 127, 128, 129, 256, 1000]) {
    const list = randomPostings(random, count);
    const cursor = cursorOver(list);
    for (const posting of list) {
      assert.equal(cursor.advance(), posting.doc, `seed ${seed}, ${count} postings`);
      assert.equal(cursor.frequency, posting.frequency, `seed ${seed}`);
      assert.deepEqual(cursor.places(), posting.places, `seed ${seed}`);
    }
    assert.equal(cursor.advance(), NO_MORE_DOCS);
    assert.equal(cursor.advance(), NO_MORE_DOCS);
  }
});

test('a document that starts when the kernel memory is full is written once', () => {
  for (const placesPerDoc of [3, 10, 128]) {
    const places = Array.from({ length: placesPerDoc }, (_, at) =>
      placeOf(1000 * at, Field.body, at % FORMS),
    );
    const list = Array.from({ length: Math.ceil(300_000 / placesPerDoc) }, (_, doc) => {
      return { doc, frequency: 4 * placesPerDoc, places };
    });
    const cursor = cursorOver(list);
    for (const { doc } of list) assert.equal(cursor.advance(), doc, `${placesPerDoc} places a document`);
    assert.equal(cursor.advance(), NO_MORE_DOCS);
  }
});

test('seek finds the same documents and places as a walk', () => {
  const seed = testSeed();
  const random = new Random(seed);
  for (let round = 0; round < 50; round++) {
    const list = randomPostings(random, random.between(1, 700));
    const cursor = cursorOver(list);
    for (let target = 0; cursor.doc !== NO_MORE_DOCS; target = cursor.doc + random.between(0, 900)) {
      const expected = list.find(({ doc }) => doc >= target);
      assert.equal(cursor.seek(target), expected?.doc ?? NO_MORE_DOCS, `seed ${seed}`);
      if (expected) assert.deepEqual(cursor.places(2), expected.places.slice(0, 2), `seed ${seed}`);
      if (random.chance(0.3)) cursor.advance();
    }
  }
});

test('a place has its position, field and form, and every field has a weight', () => {
  for (const field of Object.values(Field)) {
    const place = placeOf(123_456_789, field, 255);
    assert.equal(fieldFormOf(place), 255);
    assert.equal(positionOf(place), 123_456_789);
    assert.equal(fieldOf(place), field);
    assert.ok(FIELD_WEIGHTS[field]! > 0);
  }
  assert.equal(FIELD_WEIGHTS[Field.body], 4);
});

test('broken postings are reported with file and offset', () => {
  const { postings } = encode(Array.from({ length: 128 }, (_, doc) => ({ doc, frequency: 4, places: [8] })));
  const longer = Buffer.concat([postings, Buffer.of(0)]);
  const cases: [Buffer, number][] = [
    [postings.subarray(0, 3), 128],
    [flipped(postings, 0), 128],
    [flipped(postings, 1), 128],
    [longer, 1],
  ];
  for (const [broken, docCount] of cases) {
    const origin = { file: 'seg-7.seg', offset: 4000 };
    const cursor = new PostingsCursor(broken, docCount, origin, () => Buffer.alloc(0), false);
    assert.throws(
      () => cursor.advance(),
      (error) => error instanceof CorruptError && /^seg-7\.seg at byte \d+: expected /.test(error.message),
    );
  }
});

function flipped(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[at]! ^= 2;
  return copy;
}

function encode(list: readonly Posting[]): { postings: Buffer; positions: Buffer } {
  const writer = new PostingsWriter();
  writer.start(FORMS);
  for (const { doc, places } of list) {
    for (const place of places) writer.addPlace(doc, place, fieldFormOf(place));
    writer.endDocument();
  }
  writer.finish();
  assert.equal(writer.docCount, list.length);
  for (let form = 0; form < FORMS; form++) {
    const withForm = list.filter(({ places }) => places.some((place) => fieldFormOf(place) === form));
    assert.equal(writer.docCountOf(form), withForm.length);
  }
  const postings = new ByteWriter();
  const positions = new ByteWriter();
  writer.copyPostings(postings);
  writer.copyPositions(positions);
  assert.equal(writer.postingsBytes, postings.length);
  assert.equal(writer.positionBytes, positions.length);
  return { postings: postings.view(), positions: positions.view() };
}

function cursorOver(list: readonly Posting[]): PostingsCursor {
  const { postings, positions } = encode(list);
  const source = (at: number, length: number) => positions.subarray(at, at + length);
  return new PostingsCursor(postings, list.length, { file: 'test', offset: 0 }, source, true);
}

function randomPostings(random: Random, count: number): Posting[] {
  let doc = -1;
  return Array.from({ length: count }, () => {
    doc += random.chance(0.7) ? 1 : random.between(1, 100_000);
    let position = 0;
    const places = Array.from({ length: random.chance(0.02) ? 300 : random.between(1, 5) }, () => {
      position += random.between(1, random.pick([3, 200, 10_000]));
      return placeOf(
        position,
        random.chance(0.8) ? Field.body : random.pick(Object.values(Field)),
        random.chance(0.7) ? 0 : random.below(FORMS),
      );
    });
    const frequency = places.reduce((sum, place) => sum + FIELD_WEIGHTS[fieldOf(place)]!, 0);
    return { doc, frequency, places };
  });
}
