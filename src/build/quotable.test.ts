import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Page, parsePage } from '../page/mod.ts';
import { canonicalize } from '../url/mod.ts';
import { quotableOf } from './quotable.ts';

const WORDS = 'words that go on '.repeat(40);

function pageOf(html: string, ...xRobotsTag: string[]): Page {
  const url = canonicalize('https://example.org/')!;
  return parsePage({ url, contentType: 'text/html', body: Buffer.from(html), xRobotsTag })!;
}

test('passages with data-nosnippet are not quoted', () => {
  const page = pageOf('<p>before <span data-nosnippet>secret</span> after <p data-nosnippet>whisper</p> end');
  assert.match(page.text, /secret/);
  assert.match(quotableOf(page).text, /before\s+after\s+end/);
});

test('max-snippet keeps all text, and nosnippet keeps none', () => {
  const html = `<meta name=description content="${WORDS}"><p>${WORDS}`;
  const limited = quotableOf(pageOf(html, 'max-snippet: 50'));
  assert.deepEqual([limited.text, limited.maxSnippet], [pageOf(html).text, 50]);
  assert.equal(quotableOf(pageOf(html)).maxSnippet, undefined);
  assert.deepEqual(quotableOf(pageOf(html, 'nosnippet')), { description: '', text: '' });
  assert.deepEqual(quotableOf(pageOf(html, 'max-snippet: 0')), { description: '', text: '' });
});

const LINKS = ['Home', 'News', 'Sports', 'Weather']
  .map((name) => `<li><a href=/${name}>${name}</a>`)
  .join('');
const STORY =
  'The river had been rising since the morning, and by the afternoon the meadows were under water.';

test('menus and lists of links are not quoted', () => {
  const page = pageOf(
    `<nav>${LINKS}</nav><main><h1>Flood</h1><ul>${LINKS}</ul><p>${STORY}</p><h2>More</h2><p>${STORY}</p></main>`,
  );
  const { text, headings } = quotableOf(page);
  assert.equal(text, `Flood\n${STORY}\nMore\n${STORY}`);
  assert.deepEqual(
    headings?.map(({ level, start, end }) => [level, text.slice(start, end)]),
    [
      [1, 'Flood'],
      [2, 'More'],
    ],
  );
});

test('a page of links is quoted with its links, and never with data-nosnippet', () => {
  const page = pageOf(`<h1>Contents</h1><p data-nosnippet>secret</p><ul>${LINKS}</ul>`);
  assert.equal(quotableOf(page).text, 'Contents\nHome\nNews\nSports\nWeather');
});

test('lines with dot leaders and copyright lines are not quoted', () => {
  const page = pageOf(
    `<p>Copyright © 2020 Ann</p><p>1 Rivers . . . . . . . . 3</p><p>${STORY} And so on...</p><p>2 Lakes ........ 5</p>`,
  );
  assert.equal(quotableOf(page).text, `${STORY} And so on...`);
});
