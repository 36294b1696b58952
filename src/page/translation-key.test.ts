import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canonicalize } from '../url/mod.ts';
import { translationKeyOf } from './translation-key.ts';

const url = (path: string) => canonicalize(`https://a.example/${path}`)!;
const keyOf = (path: string, listed: Record<string, string> = {}) =>
  translationKeyOf(url(path), {
    alternates: Object.entries(listed).map(([language, other]) => ({ url: url(other), language })),
  });

test('translations have the same key by hreflang, also if a page does not list itself', () => {
  const listed = { de: 'hallo', en: 'hello', 'x-default': 'hello' };
  assert.equal(keyOf('hallo', listed), keyOf('hello', listed));
  assert.equal(keyOf('hallo', { en: 'hello' }), keyOf('hello', { de: 'hallo' }));
  assert.notEqual(keyOf('hallo'), keyOf('hello'));
});

test('translations have the same key by their URLs, and other pages have another', () => {
  assert.equal(keyOf('de/start'), keyOf('start'));
  assert.equal(keyOf('acetone_de.html'), keyOf('acetone_en.html'));
  assert.notEqual(keyOf('de/start'), keyOf('de/end'));
  assert.equal(keyOf('de/start', { de: 'de/start' }), keyOf('en/start'));
});
