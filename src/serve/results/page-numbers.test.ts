import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ENGLISH_MESSAGES } from '../messages/words.ts';
import { pageWindow, renderPages } from './page-numbers.ts';
import { readSearch } from './search-state.ts';

function pages(page: number, count: number): string | null {
  const markup = renderPages(readSearch({ q: 'a', page: String(page) }, 10), count, ENGLISH_MESSAGES);
  return markup && String(markup);
}

test('the window of pages keeps its size at both ends', () => {
  assert.deepEqual(pageWindow(1, 100), [1, 2, 3, 4, 5, 6, 7, 8, 9]);
  assert.deepEqual(pageWindow(50, 100), [46, 47, 48, 49, 50, 51, 52, 53, 54]);
  assert.deepEqual(pageWindow(99, 100), [92, 93, 94, 95, 96, 97, 98, 99, 100]);
  assert.deepEqual(pageWindow(2, 3), [1, 2, 3]);
});

test('one page of results needs no numbers', () => {
  assert.equal(pages(1, 1), null);
});

test('the first page has no previous link and the last page no next link', () => {
  assert.doesNotMatch(String(pages(1, 3)), /rel="prev"/);
  assert.doesNotMatch(String(pages(3, 3)), /rel="next"/);
});
