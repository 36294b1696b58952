import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commentsOf, PHRASES, proseLines } from './prose.ts';

const SOURCE = `/**
 * What a page says.
 * It is read anew.
 */
export const a = 1; // not a comment of its own: lately
/** Returns the size. */
// First line,
// second line.
const b = 'anew';
`;

test('whole comments are found, and code is not', () => {
  assert.deepEqual(
    commentsOf(SOURCE).map((comment) => comment.split('\n').length),
    [4, 1, 2],
  );
});

test('phrases are counted once per line in comments, not in code', () => {
  const found = proseLines('a.ts', SOURCE).flatMap(({ line, text }) =>
    PHRASES.filter(({ pattern }) => pattern.test(text)).map(({ name }) => `${line}: ${name}`),
  );
  assert.deepEqual(found, ['1: comment begins with "What"', '3: anew → again']);
});

test('code blocks of documents are skipped', () => {
  const lines = proseLines('a.md', 'One.\n```sh\nanew\n```\nTwo.');
  assert.deepEqual(
    lines.map(({ text }) => text),
    ['One.', '```', 'Two.'],
  );
});
