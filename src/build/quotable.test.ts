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

const CHAPTERS = ['Installation', 'Setting up accounts', 'Reports']
  .map((name) => `<li><a href="${name}.html">${name}</a>`)
  .join('');

test('the front page of a book is quoted with its table of contents, without links to neighbouring pages', () => {
  const page = pageOf(
    `<title>Guide</title><div class=navheader><a href=a>Prev</a> <a href=b>Next</a></div><h1>Guide</h1>
     <div class=toc><p>Table of Contents<ul>${CHAPTERS}</ul></div><div class=toc><p>List of Figures<ul>${CHAPTERS}</ul></div>
     <table class=navfooter><td><a href=a>Prev</a><td><a href=u>Up</a><td><a href=b>Next</a><tr><td>Preface<td>Home<td>Chapter 2</table>`,
  );
  const { text } = quotableOf(page);
  assert.match(text, /Installation\nSetting up accounts\nReports/);
  assert.doesNotMatch(text, /Prev|Next|Preface|Chapter 2/);
});

test('a page of two lines is not quoted with the row of links above it', () => {
  const row = `<p>Next: <a href=b>Log window</a>, Previous: <a href=c>Menu</a>, Up: <a href=d>Widgets</a> [<a href=e>Contents</a>][<a href=f>Index</a>]`;
  assert.equal(quotableOf(pageOf(`${row}<hr><h4>5.4.4 Macro widget</h4>`)).text, '5.4.4 Macro widget');
});

test('the caption of a list of links and lines without letters are not quoted', () => {
  const page = pageOf(`<h1>Rivers</h1><p>${STORY}<p>[ ]<p>List of Tables<ul>${LINKS}</ul><p>${STORY}`);
  assert.equal(quotableOf(page).text, `Rivers\n${STORY}\n${STORY}`);
});

test('a long link with dot leaders is not quoted', () => {
  const page = pageOf(`<p>${STORY}<pre><a href=x>..OO............OO....\n.O..</a></pre>`);
  assert.equal(quotableOf(page).text, STORY);
});
