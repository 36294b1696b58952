import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstAlike } from './similar.ts';

const TEXT = Array.from({ length: 200 }, (_, n) => `word${n}`).join(' ');
const page = { title: 'Title', snippet: 'A snippet.', text: TEXT };

test('results with the same title and snippet and nearly the same text become one', () => {
  const copy = { ...page, text: `${TEXT} one more` };
  const other = { title: 'Other', snippet: 'Else.', text: 'Something else.' };
  assert.deepEqual(firstAlike([page, other, copy, page]), [0, 1, 0, 0]);
});

test('a site name after a dash does not make titles different', () => {
  const papers = ['Tides rise - Paper A', 'Tides rise | Paper B', 'Tides rise', 'Tides fall - Paper A'];
  assert.deepEqual(firstAlike(papers.map((title) => ({ ...page, title }))), [0, 0, 0, 3]);
});

test('pages that only look alike stay two results', () => {
  const different = { ...page, text: TEXT.replaceAll('word', 'other') };
  const half = { ...page, text: TEXT.slice(0, TEXT.length / 2) };
  assert.deepEqual(firstAlike([page, different, half]), [0, 1, 2]);
});

test('results with different snippets or without one are not compared', () => {
  assert.deepEqual(
    firstAlike([page, { ...page, title: 'Another' }, { ...page, snippet: 'Another.' }]),
    [0, 1, 2],
  );
  assert.deepEqual(
    firstAlike([
      { title: '', snippet: '', text: '' },
      { title: '', snippet: '', text: '' },
    ]),
    [0, 1],
  );
});
