import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Cursor, decodeCursor, encodeCursor } from './cursor.ts';

test('a cursor is decoded exactly, to the last bit of its score', () => {
  const cursors: Cursor[] = [
    { generation: 3, offset: 20 },
    { generation: 0, offset: 1000, after: { score: 0.1 + 0.2, fingerprint: -(2n ** 63n) } },
    { generation: 9, offset: 5, after: { score: 0, fingerprint: 2n ** 63n - 1n } },
  ];
  for (const cursor of cursors) {
    const text = encodeCursor(cursor, 'some query');
    assert.match(text, /^[\w-]+$/);
    assert.deepEqual(decodeCursor(text, 'some query'), cursor);
  }
});

test('a cursor of another query is recognized', () => {
  const text = encodeCursor({ generation: 3, offset: 20 }, 'some query');
  const made = (parts: unknown) => Buffer.from(JSON.stringify(parts)).toString('base64url');
  const check = (JSON.parse(Buffer.from(text, 'base64url').toString()) as string[])[0];
  const bad = ['', '!', 'abc', made({}), made([check]), made([check, 1, -1]), made([check, 1.5, 0])];
  for (const each of [...bad, made([check, 1, 2, 'a', '5']), made([check, 1, 2, 3, 'x']), made(null)]) {
    assert.equal(decodeCursor(each, 'some query'), null, each);
  }
  assert.equal(decodeCursor(text, 'another query'), null);
});
