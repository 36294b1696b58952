import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MarkKind, type Range } from '../page/mod.ts';
import { contentKey, type IdentifiedPage, identityKey } from './content-ranges.ts';

const MENU = 'one of many entries of a menu '.repeat(200);

/**
 * Returns the content key of a page with the given content after a menu. If `isMenuKnown` is true, the menu
 * is marked as boilerplate.
 */
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

/** Makes a page whose text begins with its heading. */
function pageOf(over: Partial<IdentifiedPage> & { heading?: string } = {}): IdentifiedPage {
  const { heading = 'pivot', ...rest } = over;
  const text = `${heading}\n${'Returns a reshaped table by the values of a column. '.repeat(20)}`;
  const marks = [{ start: 0, end: heading.length, kind: MarkKind.heading1 }];
  return { title: 'pandas.DataFrame.pivot', language: 'en', text, marks, ...rest };
}

test('a different title, first heading or language is another identity; case and permalink signs are not', () => {
  const key = identityKey(pageOf());
  assert.notEqual(identityKey(pageOf({ title: 'pandas.pivot' })), key);
  assert.notEqual(identityKey(pageOf({ title: 'pandas.DataFrame.pivot 2' })), key);
  assert.notEqual(identityKey(pageOf({ heading: 'melt' })), key);
  assert.notEqual(identityKey(pageOf({ language: 'cs' })), key);
  assert.notEqual(identityKey(pageOf({ heading: 'pivot<<' })), identityKey(pageOf({ heading: 'pivot>>' })));
  const same = pageOf({ title: 'Pandas.DataFrame.pivot ', heading: 'Pivot¶', language: 'en-us' });
  assert.equal(identityKey(same), key);
});
