import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canonicalize } from '../url/mod.ts';
import { pageOfDocument } from './document-record.ts';

function titleOf(title: string): string {
  return pageOfDocument({ url: canonicalize('https://a.example/')!, title, text: 'some words' })!.title;
}

test('a title is cut like those of pages, but never within a character', () => {
  assert.equal(titleOf('word '.repeat(400_000)), 'word '.repeat(100).trimEnd());
  assert.equal(titleOf(`${'a'.repeat(499)}😀`), 'a'.repeat(499));
  assert.equal(titleOf(' Two\n words '), 'Two words');
});
