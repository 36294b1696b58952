import assert from 'node:assert/strict';
import { test } from 'node:test';
import { passagesOf } from './passages.ts';

const words = (count: number, word: string): string => Array.from({ length: count }, () => word).join(' ');

test('a short page is one passage with title, headings and text', () => {
  const page = { title: 'Kettles', headings: ['Steel', 'Glass'], text: 'How to boil water.' };
  assert.deepEqual(passagesOf(page, 4, 128), ['Kettles\nSteel. Glass\nHow to boil water.']);
});

test('a long page has the asked number of passages, which continue where the last one ended', () => {
  const text = Array.from({ length: 1000 }, (_, i) => `word${i}`).join(' ');
  const passages = passagesOf({ title: 'Numbers', headings: [], text }, 3, 64);
  assert.equal(passages.length, 3);
  const numbers = passages.map((passage) => passage.match(/\d+/g)!.map(Number));
  assert.deepEqual(
    numbers.flat(),
    Array.from({ length: numbers.flat().length }, (_, i) => i),
  );
  for (const passage of passages) {
    assert.ok(passage.startsWith('Numbers\n'));
    assert.ok(passage.length <= 64 * 4 + 1, `${passage.length}`);
  }
});

test('a short rest of a page is no passage', () => {
  const page = { title: '', headings: [], text: words(120, 'abcd') };
  assert.equal(passagesOf(page, 4, 128).length, 1);
});

test('title and headings leave at least half of the first passage to the text', () => {
  const page = { title: words(1000, 'title'), headings: [words(1000, 'heading')], text: words(1000, 'text') };
  const [first] = passagesOf(page, 1, 128);
  assert.ok(first!.match(/text/g)!.length * 5 >= 250, first);
});

test('a page without any text has an empty passage', () => {
  assert.deepEqual(passagesOf({ title: '', headings: [], text: '' }, 2, 128), ['']);
});

test('a text without spaces is cut anywhere', () => {
  assert.equal(passagesOf({ title: '', headings: [], text: 'x'.repeat(1 << 20) }, 2, 128).length, 2);
});
