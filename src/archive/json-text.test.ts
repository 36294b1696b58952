import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { test } from 'node:test';
import { Random } from '../base/mod.ts';
import type { PageRecord } from './journal-format.ts';
import { encodePage } from './journal-writer.ts';
import { jsonText } from './json-text.ts';

const seed = randomInt(2 ** 31);

test('every character is written as JSON.stringify writes it', () => {
  for (let code = 0; code < 0x10000; code++) {
    // Alone, and among so many that they are looked at in a group.
    for (const text of [String.fromCharCode(code), `0123456789${String.fromCharCode(code)}0123456789`]) {
      assert.equal(jsonText(text).toString(), JSON.stringify(text), `U+${code.toString(16)}`);
    }
  }
});

test(`so is every text, long or short (seed ${seed})`, () => {
  const random = new Random(seed);
  const pieces = [
    'word ',
    '\n',
    '"',
    '\\',
    '\u0001',
    'ä',
    '語',
    '😀',
    '\ud83d',
    'a longer stretch of plain text, ',
  ];
  for (let round = 0; round < 300; round++) {
    const count = random.below(round % 100 === 0 ? 60_000 : 200);
    const text = Array.from({ length: count }, () => pieces[random.below(pieces.length)]).join('');
    assert.equal(jsonText(text).toString(), JSON.stringify(text), `round ${round}`);
  }
});

test('a page in pieces is the record that it was', () => {
  const page = {
    contentType: 'text/html',
    title: '"text":""',
    text: 'one\n"two"',
    links: [],
    favicon: undefined,
  };
  const record = {
    kind: 'page',
    url: 'http://a.test/',
    fetchedAt: 1,
    digest: 'D',
    page,
  } as unknown as PageRecord;
  const line = Buffer.concat(encodePage(record).map((piece) => Buffer.from(piece as string)));
  assert.deepEqual(JSON.parse(line.toString()), JSON.parse(JSON.stringify(record)));
});
