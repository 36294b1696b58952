import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Field } from '../index/mod.ts';
import { MarkKind } from '../page/mod.ts';
import { canonicalize } from '../url/mod.ts';
import { depthOf, indexDocumentOf } from './index-document.ts';
import { pageRecord } from './journal.fixture.ts';

test('marks become fields', () => {
  const marks = Object.values(MarkKind).map((kind, i) => ({ start: i, end: i + 1, kind }));
  const { stretches } = indexDocumentOf(pageRecord('a', 'abcde', { marks }));
  assert.deepEqual(
    stretches.map(({ field }) => field),
    [Field.heading, Field.heading, Field.heading, Field.emphasis, Field.link],
  );
  assert.deepEqual([stretches[2]!.start, stretches[2]!.end], [2, 3]);
});

test('a page that asks not to be quoted is indexed but not stored', () => {
  const robots = { index: true, follow: true, archive: true, snippet: false };
  const document = indexDocumentOf(pageRecord('a', 'secret words', { robots, description: 'about' }));
  assert.equal(document.text, 'secret words');
  assert.equal(document.stored.text, '');
  assert.equal(document.stored.description, '');
  assert.equal(document.stored.title, 'a');
});

test('the URL is words too, with escapes undone where they are valid', () => {
  assert.equal(indexDocumentOf(pageRecord('caf%C3%A9/menu', '')).urlText, 'example.org /café/menu');
  assert.equal(indexDocumentOf(pageRecord('50%FF', '')).urlText, 'example.org /50%FF');
});

test('depth counts the parts of the path and a query', () => {
  const table: [string, number][] = [
    ['https://example.org/', 0],
    ['https://example.org/index.html', 0],
    ['https://example.org/a', 1],
    ['https://example.org/a/', 1],
    ['https://example.org/a/b/index.php', 2],
    ['https://example.org/?q=1', 1],
    ['https://example.org/a//b?q=1', 3],
  ];
  for (const [url, depth] of table) assert.equal(depthOf(canonicalize(url)!), depth, url);
});
