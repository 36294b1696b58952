import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Range } from '../../page/mod.ts';
import { contentKey } from './content-ranges.ts';

const MENU = 'one of many entries of a menu '.repeat(200);

/** A page with this content after a menu, which is marked as boilerplate or not. */
function keyOf(title: string, content: string, isMenuKnown: boolean): number {
  const boilerplate: Range[] = isMenuKnown ? [[0, MENU.length]] : [];
  return contentKey({ title, text: MENU + content, boilerplate });
}

test('pages with different titles or different short contents have different keys', () => {
  assert.notEqual(keyOf('a', 'x', true), keyOf('b', 'x', true));
  assert.notEqual(keyOf('a', 'x', true), keyOf('a', 'y', true));
  assert.notEqual(keyOf('a', 'x', false), keyOf('b', 'x', false));
});

test('digits do not change the key, and neither does long content', () => {
  assert.equal(keyOf('visit 1', 'seen 10 times', true), keyOf('visit 2', 'seen 207 times', true));
  assert.equal(keyOf('a', 'x', false), keyOf('a', 'y', false));
});
