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
  // 300 characters have an amount of one half; the other factors are 1.
  assert.equal(qualityOf(page('a '.repeat(150))), 1 + 127);
  // Half of 600 characters are around the content: amount 300 / 600, content 300 / 600.
  assert.equal(qualityOf(page('a '.repeat(300), { boilerplate: [[0, 300]] })), 1 + Math.round(254 / 4));
  // All of the text is in links, so the factor `prose` is one half, and so is `amount`.
  const links = { marks: [{ start: 0, end: 300, kind: MarkKind.link }] };
  assert.equal(qualityOf(page('a '.repeat(150), links)), 1 + Math.round(254 / 4));
});

test('a word that is repeated too often lowers the quality', () => {
  const stuffed = `${PROSE.slice(0, 2000)} ${'cheap pills '.repeat(150)}`;
  assert.ok(qualityOf(page(PROSE)) > 200);
  assert.ok(qualityOf(page(stuffed)) < 100, `${qualityOf(page(stuffed))}`);
});
