import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canonicalize } from '../../url/mod.ts';
import { parsePage } from '../parse-page.ts';

const STORY =
  'The river had been rising since the morning, and by the afternoon the lower meadows were under water.';
const MENU = ['Home', 'News', 'Sports', 'Weather', 'About us'];

/** Returns the lines of content and the lines of boilerplate of a page. */
function split(body: string): [content: string[], site: string[]] {
  const url = canonicalize('https://example.org/')!;
  const { text, boilerplate = [] } = parsePage({
    url,
    contentType: 'text/html',
    body: Buffer.from(body),
    xRobotsTag: [],
  })!;
  let content = '';
  let from = 0;
  for (const [start, end] of boilerplate) {
    content += `${text.slice(from, start)}\n`;
    from = end;
  }
  const lines = (part: string) => part.split('\n').filter((line) => line.trim() !== '');
  return [
    lines(content + text.slice(from)),
    boilerplate.flatMap(([start, end]) => lines(text.slice(start, end))),
  ];
}

const links = (names: string[]) => names.map((name) => `<li><a href=/${name.length}>${name}</a>`).join('');
const paragraphs = (count: number) => `<p>${STORY}</p>`.repeat(count);

test('navigation elements and roles are boilerplate', () => {
  const [content, site] = split(
    `<header>Site</header><nav><ul>${links(MENU)}</ul></nav><div role=search>Find</div>` +
      `<div><h1>Flood</h1>${paragraphs(3)}</div><aside>Ads</aside><footer>Imprint</footer>`,
  );
  assert.deepEqual(content, ['Flood', STORY, STORY, STORY]);
  assert.deepEqual(site, ['Site', ...MENU, 'Find', 'Ads', 'Imprint']);
});

test('inside an article, its own header and footer are content', () => {
  const [content] = split(
    `<article><header><h1>Flood</h1>By Ann</header>${paragraphs(2)}<footer>Ann lives here</footer></article>`,
  );
  assert.deepEqual(content, ['Flood', 'By Ann', STORY, STORY, 'Ann lives here']);
});

test('everything outside the main element is boilerplate', () => {
  const [content, site] = split(
    `<div>Welcome to the Gazette</div><main>${paragraphs(2)}<ul>${links(MENU)}</ul></main><div>Bye</div>`,
  );
  assert.deepEqual(site, ['Welcome to the Gazette', 'Bye']);
  assert.deepEqual(content, [STORY, STORY, ...MENU]);
});

test('a little text in the main element is the content if all else is links', () => {
  const menu = links(Array.from({ length: 40 }, (_, i) => `Function number ${i}`));
  const signature = 'sort(list, by, descending) sorts the list';
  assert.deepEqual(split(`<ul>${menu}</ul><main><p>${signature}</p></main>`)[0], [signature]);
  const prose = `<div>${paragraphs(20)}</div>`;
  assert.equal(split(`${prose}<main><p>${signature}</p></main>`)[0].length, 21);
});

test('class names mark menus and short passages as boilerplate, not long text', () => {
  const page = `<div class="top-navBar">${links(MENU)}</div><div class="page has-sidebar"><p>${STORY}</p>`;
  const [content, site] = split(
    `${page}<div class="sidebar">${paragraphs(4)}</div><div id=siteFooter>All rights reserved</div></div>`,
  );
  assert.deepEqual(site, [...MENU, 'All rights reserved']);
  assert.equal(content.length, 5);
});

test('without hints in the markup, link density distinguishes menus from text', () => {
  const [content, site] = split(
    `<div><ul>${links(MENU)}</ul></div><div><b>Flood</b>${paragraphs(2)}<p>Short.</p><p>${STORY}</p></div><table><tr><td>${links(MENU)}</table>`,
  );
  assert.deepEqual(site, [...MENU, ...MENU]);
  assert.deepEqual(content, ['Flood', STORY, STORY, 'Short.', STORY]);
});

test('one or two links between paragraphs are part of the text', () => {
  const [, site] = split(
    `${paragraphs(1)}<p><a href=x>Read on</a></p><p><a href=y>Or not</a></p>${paragraphs(1)}`,
  );
  assert.deepEqual(site, []);
});

test('two links at the end of a page are a menu', () => {
  const end = '<p><a href=x>Gazette</a></p><p><a href="mailto:ann@example.org">Ann</a></p>';
  assert.deepEqual(split(`${paragraphs(2)}${end}`)[1], ['Gazette', 'Ann']);
});

test('a page of links only keeps them as content', () => {
  const [content, site] = split(`<ul>${links([...MENU, ...MENU])}</ul>`);
  assert.equal(content.length, 10);
  assert.deepEqual(site, []);
});

test('a menu around the whole page or without an end is ignored', () => {
  assert.deepEqual(split(`<nav>${paragraphs(3)}</nav>`)[1], []);
  assert.deepEqual(
    split(`<nav>${links(MENU)}<div>${paragraphs(3)}</div>`)[0].filter((line) => line === STORY).length,
    3,
  );
  assert.deepEqual(split(`<div class=menu><main>${paragraphs(3)}</main></div>`)[1], []);
});

test('rows of links to other pages are boilerplate, in `<main>` only if they turn the page', () => {
  const row = '<div><a href=a>Previous</a> | <a href=b>Contents</a> | <a href=c>Next</a></div>';
  assert.deepEqual(split(`${row}${paragraphs(2)}${row}`)[1], Array(2).fill('Previous | Contents | Next'));
  const turner = '<p>Next: <a rel=next href=b>Bridges</a>, Up: <a rel=up href=c>Rivers</a></p>';
  assert.deepEqual(split(`<main>${turner}${paragraphs(2)}</main>`)[1], ['Next: Bridges, Up: Rivers']);
  assert.deepEqual(split(`${row}<p>This page has moved, and there is no text here any more.</p>`)[1], [
    'Previous | Contents | Next',
  ]);
  const code = '<p><a href=a>Tree</a> <a href=b>find</a>(<a href=c>Key</a> key);</p>';
  assert.deepEqual(split(`${paragraphs(1)}${code}${paragraphs(1)}`)[1], []);
});

test('lines of a footer are boilerplate at the end, not in the text', () => {
  const lines = ['© 2020 The Gazette', 'Last updated on 5 May 2020', 'Generated by Press 1.2'];
  const footer = lines.map((line) => `<p>${line}</p>`).join('');
  const [content, site] = split(`<main>${footer}${paragraphs(12)}${footer}</main>`);
  assert.deepEqual(site, lines);
  assert.deepEqual(content.slice(0, 3), lines);
});

test('a heading belongs to the text after it; the title of the page is always content', () => {
  const [content] = split(
    `<title>Flood | Gazette</title><h1>Flood</h1><ul>${links(MENU)}</ul>${paragraphs(2)}<h2>Dates</h2><p>May.</p>` +
      `<h2>More</h2><ul>${links(MENU)}</ul>`,
  );
  assert.deepEqual(content, ['Flood', STORY, STORY, 'Dates', 'May.']);
});

test('a page without running text keeps its lists; a menu above its heading is not one', () => {
  const list = ['left', 'right', 'key', 'value'];
  const [content, site] = split(
    `<ul>${links(MENU)}</ul><h1>Fields of the structure Node</h1><ul>${links(list)}</ul>`,
  );
  assert.deepEqual(site, MENU);
  assert.deepEqual(content, ['Fields of the structure Node', ...list]);
});

test('short lines between two menus are boilerplate, many of them may be a table', () => {
  const menu = `<ul>${links(MENU)}</ul>`;
  const [, site] = split(`${paragraphs(2)}${menu}<p>Version 2</p>${menu}`);
  assert.deepEqual(site, [...MENU, 'Version 2', ...MENU]);
  const rows = Array.from({ length: 20 }, (_, i) => `row ${i} of the table`);
  const table = rows.map((row) => `<p>${row}</p>`).join('');
  assert.deepEqual(split(`${paragraphs(2)}${menu}${table}${menu}`)[1], [...MENU, ...MENU]);
});

test('a short text between menus is content if there is little else', () => {
  const banner = `<p>${STORY}</p>`;
  const [content, site] = split(
    `${banner}<div id=titlearea>Rivers 3.4</div><p>All members of the list Meadows.</p><div class=navpath>Made by hand</div>`,
  );
  assert.deepEqual(site, ['Rivers 3.4', 'Made by hand']);
  assert.deepEqual(content, [STORY, 'All members of the list Meadows.']);
});
