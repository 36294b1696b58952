import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MarkKind, type Page } from '../page/mod.ts';
import { qualityOf } from './quality.ts';

const PROSE = Array.from({ length: 300 }, (_, at) => `word${at} and`).join(' ');

function page(text: string, rest: Partial<Page> = {}): Page {
  return {
    contentType: 'text/html',
    title: '',
    description: '',
    language: 'en',
    text,
    marks: [],
    links: [],
    canonical: null,
    robots: { index: true, follow: true, archive: true, snippet: true },
    ...rest,
  };
}

test('quality equals the product of its factors, computed by hand', () => {
  assert.equal(qualityOf(page('')), 1);
  // A page of 300 characters has the factor `amount` 1/2; the other factors are 1.
  assert.equal(qualityOf(page('a '.repeat(150))), 1 + 127);
  // Of 600 characters, 300 are boilerplate, so the factors `amount` and `content` are both 1/2.
  assert.equal(qualityOf(page('a '.repeat(300), { boilerplate: [[0, 300]] })), 1 + Math.round(254 / 4));
  // All of the text is in links, so the factor `prose` is 1/2; `amount` is 1/2 too.
  const links = { marks: [{ start: 0, end: 300, kind: MarkKind.link }] };
  assert.equal(qualityOf(page('a '.repeat(150), links)), 1 + Math.round(254 / 4));
});

test('a word that is repeated too often lowers the quality', () => {
  const stuffed = `${PROSE.slice(0, 2000)} ${'cheap pills '.repeat(150)}`;
  assert.ok(qualityOf(page(PROSE)) > 200);
  assert.ok(qualityOf(page(stuffed)) < 100, `${qualityOf(page(stuffed))}`);
});
