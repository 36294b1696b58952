import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { reportBar } from '../test/helpers/bar.ts';
import { commentsOf, hasProse, MAX_PHRASES, PHRASES, proseLines, readTreeProse } from './prose.ts';

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
  assert.deepEqual(phrasesIn('a.ts', SOURCE), ['1: comment begins with "What"', '3: anew → again']);
});

test('code blocks of documents are skipped', () => {
  const lines = proseLines('a.md', 'One.\n```sh\nanew\n```\nTwo.');
  assert.deepEqual(
    lines.map(({ text }) => text),
    ['One.', '```', 'Two.'],
  );
});

test('texts of three words are counted in source files, and test names in test files', () => {
  const source = "const a = 'going on'; throw new Error('the work goes on here'); // goes on and on";
  assert.deepEqual(phrasesIn('src/a.ts', source), ['1: go on → continue']);
  const tests = "test('what is told', () => {\n  assert.equal(say(), 'he goes on with it');\n});";
  assert.deepEqual(phrasesIn('src/a.test.ts', tests), [
    '1: test name begins with "What"',
    '1: is told → receives',
  ]);
});

test('English UI messages are checked, and those of other languages are not', () => {
  assert.ok(hasProse('src/serve/messages/en.json'));
  assert.ok(!hasProse('src/serve/messages/de.json'));
  assert.deepEqual(phrasesIn('src/serve/messages/en.json', '"a": "Something is in the way."'), [
    '1: in the way → errors',
  ]);
});

test('the tree has few of the phrases that the style guide replaces', (t) => {
  const { total, places } = readTreeProse(join(import.meta.dirname, '..'));
  reportBar(t, 'replaced phrases', `${total} (fewer than ${MAX_PHRASES})`);
  assert.ok(total < MAX_PHRASES, [...places.values()].flat().join(' '));
});

function phrasesIn(file: string, text: string): string[] {
  return proseLines(file, text).flatMap(({ line, text: prose }) =>
    PHRASES.filter(({ pattern }) => pattern.test(prose)).map(({ name }) => `${line}: ${name}`),
  );
}
