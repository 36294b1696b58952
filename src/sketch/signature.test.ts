import assert from 'node:assert/strict';
import { test } from 'node:test';
import { areNearDuplicates } from '../index/signature.ts';
import type { Page } from '../page/mod.ts';
import { signatureOf } from './signature.ts';

const MENU = 'one of many entries of a menu '.repeat(300);
const PROSE = Array.from({ length: 300 }, (_, n) => `word${n}`).join(' ');

/** Makes a page with the given content after a menu. */
function pageOf(content: string, over: Partial<Page> = {}): Parameters<typeof signatureOf>[0] {
  const text = MENU + content;
  return { title: 'Guide - Site', language: 'en', text, marks: [], boilerplate: [[0, MENU.length]], ...over };
}

function areSimilar(a: ReturnType<typeof pageOf>, b: typeof a, onOneHost = true): boolean {
  return areNearDuplicates(signatureOf(a), signatureOf(b), onOneHost);
}

test('pages with the same name and nearly the same content are near duplicates', () => {
  assert.ok(areSimilar(pageOf(PROSE), pageOf(`${PROSE} end`)));
  assert.ok(!areSimilar(pageOf(PROSE), pageOf(PROSE.replaceAll('word', 'term'))));
});

test('a different title or language means different pages', () => {
  assert.ok(!areSimilar(pageOf(PROSE), pageOf(PROSE, { title: 'Manual - Site' })));
  assert.ok(!areSimilar(pageOf(PROSE), pageOf(PROSE, { language: 'de' })));
});

test('the name of the site in the title counts on one host only', () => {
  const elsewhere = pageOf(PROSE, { title: 'Guide - Other Site' });
  assert.ok(!areSimilar(pageOf(PROSE), elsewhere));
  assert.ok(areSimilar(pageOf(PROSE), elsewhere, false));
});

test('short pages are compared by their own words, however long their menus are', () => {
  const issue = (name: string) => pageOf(`${name}: the tracking issue for this feature is open.`);
  assert.ok(areSimilar(issue('alpha'), issue('Alpha')));
  assert.ok(!areSimilar(issue('alpha'), issue('beta')));
});
