import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS } from '../base/mod.ts';
import { Field } from '../index/mod.ts';
import { MarkKind } from '../page/mod.ts';
import { OFFICE_TYPES } from '../page/office/office-types.ts';
import { canonicalize } from '../url/mod.ts';
import { depthOf, indexDocumentOf } from './index-document.ts';
import { pageRecord } from './journal.fixture.ts';

test('marks become fields', () => {
  const marks = Object.values(MarkKind).map((kind, i) => ({ start: i, end: i + 1, kind }));
  const { fieldRanges } = indexDocumentOf(pageRecord('a', 'abcdefgh', { marks }));
  assert.deepEqual(
    fieldRanges.map(({ field }) => field),
    [...Array(6).fill(Field.heading), Field.emphasis, Field.link],
  );
  assert.deepEqual([fieldRanges[2]!.start, fieldRanges[2]!.end], [2, 3]);
});

test('headings are stored with their levels and their positions in the stored text', () => {
  const marks = [
    { start: 0, end: 2, kind: MarkKind.heading2 },
    { start: 2, end: 3, kind: MarkKind.link },
    { start: 4, end: 6, kind: MarkKind.heading5 },
  ];
  const headings = [
    { level: 2, start: 0, end: 2 },
    { level: 5, start: 4, end: 6 },
  ];
  assert.deepEqual(indexDocumentOf(pageRecord('a', 'abcdef', { marks })).stored.headings, headings);
  const partly = indexDocumentOf(pageRecord('a', 'abcdef', { marks, noSnippet: [[0, 1]] })).stored;
  assert.equal(partly.text, 'bcdef');
  assert.deepEqual(partly.headings, [{ level: 5, start: 3, end: 5 }]);
});

test('a page that asks not to be quoted is indexed but not stored', () => {
  const robots = { index: true, follow: true, archive: true, snippet: false };
  const document = indexDocumentOf(pageRecord('a', 'secret words', { robots, description: 'about' }));
  assert.equal(document.text, 'secret words');
  assert.equal(document.stored.text, '');
  assert.equal(document.stored.description, '');
  assert.equal(document.stored.title, 'a');
});

test('data-nosnippet passages are indexed but not stored', () => {
  const text = 'Open words. Secret words. More words.';
  const noSnippet: [number, number][] = [[12, 25]];
  const document = indexDocumentOf(pageRecord('a', text, { noSnippet }));
  assert.equal(document.text, text);
  assert.equal(document.stored.text, 'Open words.\nMore words.');
});

test('max-snippet is stored with the document', () => {
  const robots = { index: true, follow: true, archive: true, snippet: true, maxSnippet: 40 };
  assert.equal(indexDocumentOf(pageRecord('a', 'text', { robots })).stored.maxSnippet, 40);
  assert.equal(indexDocumentOf(pageRecord('a', 'text')).stored.maxSnippet, undefined);
});

test('noarchive is stored with the document', () => {
  const robots = { index: true, follow: true, archive: false, snippet: true };
  assert.equal(indexDocumentOf(pageRecord('a', 'text', { robots })).stored.noCopy, true);
  assert.equal(indexDocumentOf(pageRecord('a', 'text')).stored.noCopy, undefined);
});

test('a document has a type, and a date only if its page states one: published or changed', () => {
  const day = (rest: object) => indexDocumentOf(pageRecord('a', '', rest)).day;
  const at = (date: string) => Date.parse(date);
  assert.equal(indexDocumentOf(pageRecord('a', '', { contentType: 'application/pdf' })).type, 'pdf');
  for (const [format, contentType] of Object.entries(OFFICE_TYPES))
    assert.equal(indexDocumentOf(pageRecord('a', '', { contentType })).type, format);
  assert.equal(indexDocumentOf(pageRecord('a', '', { contentType: 'image/png' })).type, '');
  assert.equal(day({}), 0);
  assert.equal(day({ modifiedAt: at('1970-01-11T23:00:00Z') }), 10);
  assert.equal(day({ modifiedAt: at('1990-01-01'), publishedAt: at('1970-01-06') }), 5);
});

test('a date after the fetch is not credible, nor is a change at the time of the fetch', () => {
  const { fetchedAt } = pageRecord('a', '');
  const day = (rest: object) => indexDocumentOf(pageRecord('a', '', rest)).day;
  assert.equal(day({ modifiedAt: fetchedAt - 1000 }), 0);
  assert.equal(day({ modifiedAt: fetchedAt - 3_600_000 }), Math.floor((fetchedAt - 3_600_000) / DAY_MS));
  assert.equal(day({ publishedAt: fetchedAt - 1000 }), Math.floor((fetchedAt - 1000) / DAY_MS));
  assert.equal(day({ publishedAt: fetchedAt + DAY_MS, modifiedAt: 10 * DAY_MS }), 10);
  assert.equal(day({ publishedAt: fetchedAt + DAY_MS }), 0);
});

test('the declared kind of a page follows its format in the type', () => {
  const typeOf = (page: object) => indexDocumentOf(pageRecord('a', '', page)).type;
  const structured = (...types: string[]) => ({
    structured: types.map((type) => ({ type, properties: { name: ['x'] } })),
  });
  assert.equal(typeOf(structured('WebPage')), 'html');
  assert.equal(typeOf(structured('WebPage', 'ReportageNewsArticle')), 'html/news');
  assert.equal(typeOf(structured('Product')), 'html/product');
  assert.equal(typeOf({ openGraph: { type: 'product' } }), 'html/product');
  assert.equal(typeOf({ openGraph: { type: 'article' } }), 'html');
  assert.equal(typeOf({ kind: 'feed', contentType: 'application/rss+xml' }), 'xml/feed');
});

test('the type has the extension of the URL beside the format of the server', () => {
  const typeOf = (path: string, page: object = {}) => indexDocumentOf(pageRecord(path, '', page)).type;
  assert.equal(typeOf('guide.md'), 'html.md');
  assert.equal(typeOf('guide.Markdown?raw=1'), 'html.md');
  assert.equal(typeOf('guide.htm'), 'html');
  assert.equal(typeOf('notes.txt', { contentType: 'text/plain' }), 'txt');
  assert.equal(typeOf('sold.php', { openGraph: { type: 'product' } }), 'html.php/product');
  for (const path of ['', 'v1.2', 'a.md/b', 'x?file=a.md', 'odd.qqqq', '.md/'])
    assert.equal(typeOf(path), 'html', path);
});

test('the words of the URL are indexed, with valid escapes decoded', () => {
  assert.equal(indexDocumentOf(pageRecord('caf%C3%A9/menu', '')).urlText, 'example.org /café/menu');
  assert.equal(indexDocumentOf(pageRecord('50%FF', '')).urlText, 'example.org /50%FF');
});

test('the depth is the number of path parts and a query, or more for long URLs', () => {
  const table: [string, number][] = [
    ['https://example.org/', 0],
    ['https://example.org/index.html', 0],
    ['https://example.org/a', 1],
    ['https://example.org/a/', 1],
    ['https://example.org/a/b/index.php', 2],
    ['https://example.org/?q=1', 1],
    ['https://example.org/a//b?q=1', 3],
    [`https://example.org/${'a'.repeat(79)}`, 1],
    [`https://example.org/${'a'.repeat(80)}`, 2],
    [`https://example.org/a?q=${'a'.repeat(160)}`, 4],
  ];
  for (const [url, depth] of table) assert.equal(depthOf(canonicalize(url)!), depth, url);
});

test('menus are a field of their own', () => {
  const marks = [{ start: 2, end: 4, kind: MarkKind.link }];
  const { fieldRanges } = indexDocumentOf(pageRecord('a', 'abcdefgh', { marks, boilerplate: [[0, 5]] }));
  assert.deepEqual(fieldRanges, [
    { start: 0, end: 5, field: Field.menu },
    { start: 2, end: 4, field: Field.link },
  ]);
});

test('the last part of the path names the page, and a start page is named by its directory', () => {
  const shapeOf = (path: string) => {
    const { urlText, urlName, isEntry } = indexDocumentOf(pageRecord(path, 'text', { title: 'Guide' }));
    return [urlName ? urlText.slice(urlName.start, urlName.end) : null, isEntry];
  };
  assert.deepEqual(shapeOf(''), [null, true]);
  assert.deepEqual(shapeOf('index.html'), [null, true]);
  assert.deepEqual(shapeOf('docs/guide/'), ['guide', true]);
  assert.deepEqual(shapeOf('docs/guide/index.en.html'), ['guide', true]);
  assert.deepEqual(shapeOf('docs/array%20view.html'), ['array view', false]);
  assert.deepEqual(shapeOf('docs/guide.html?page=2'), ['guide', false]);
  assert.deepEqual(shapeOf('docs/indexes.html'), ['indexes', false]);
});

test('directories, generated indexes and source pages have kinds of their own', () => {
  const shapeOf = (path: string, title = 'A title') => {
    const { type, isEntry } = indexDocumentOf(pageRecord(path, 'text', { title }));
    return [type, isEntry];
  };
  assert.deepEqual(shapeOf('docs/', 'Index of /docs/'), ['html/listing', false]);
  assert.deepEqual(shapeOf('docs/', 'Index of Prices'), ['html', true]);
  assert.deepEqual(shapeOf('genindex-A.html'), ['html/listing', false]);
  assert.deepEqual(shapeOf('java/util/class-use/List.html'), ['html/listing', false]);
  assert.deepEqual(shapeOf('classfoo-members.html'), ['html/listing', false]);
  assert.deepEqual(shapeOf(`dir_${'0af9'.repeat(8)}.html`), ['html/listing', false]);
  assert.deepEqual(shapeOf('_modules/flask/app.html'), ['html/source', false]);
  assert.deepEqual(shapeOf('src/Data-Map.html', 'Data/Map.hs'), ['html/source', false]);
  assert.deepEqual(shapeOf('about.html', 'Using Node.js and I/O'), ['html', false]);
  assert.deepEqual(shapeOf('src/core/option.rs.html'), ['html/source', false]);
  assert.deepEqual(shapeOf('team-members.html'), ['html', false]);
  assert.deepEqual(shapeOf('functions.html'), ['html', false]);
  assert.deepEqual(shapeOf('guide.html'), ['html', false]);
});
