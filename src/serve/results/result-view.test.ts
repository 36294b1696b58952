import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SearchResult } from '../../query/mod.ts';
import { archiveOver } from '../cached/copies.fixture.ts';
import { messagesOf } from '../messages/words.ts';
import { plainView, testSite } from '../server-context.fixture.ts';
import type { ServerContext } from '../server-context.ts';
import { highlight, renderResult } from './result-view.ts';
import { readSearch } from './search-state.ts';
import type { ResultDetail } from './tab-results.ts';

const RESULT: SearchResult = {
  url: 'https://example.org/docs/start',
  title: 'Start here',
  snippet: 'one two three',
  highlights: [],
  host: 'example.org',
  score: 1,
  fetchedAt: '2025-06-01T00:00:00.000Z',
};

function rendered(
  result: SearchResult,
  site: Partial<ServerContext> = {},
  detail: ResultDetail = {},
): string {
  const view = plainView({ ...testSite(), ...site });
  return String(renderResult(view, readSearch({ q: 'a' }, 10), result, detail));
}

function highlighted(snippet: string, ranges: [number, number][]): string {
  return highlight(snippet, ranges).join('');
}

test('the date is that of the page, if it has one; the fetch date is in the menu', () => {
  const own = rendered({ ...RESULT, date: '2024-02-29' });
  assert.match(own, /<time datetime="2024-02-29" title="Published or changed on Feb 29, 2024">Feb 29, 2024</);
  assert.match(own, /<p>Fetched on Jun 1, 2025<\/p>/);
  const undated = rendered(RESULT);
  assert.doesNotMatch(undated, /<time /);
  assert.match(undated, /<p>Fetched on Jun 1, 2025<\/p>/);
});

test('a result names its format if it is a document, and not if it is a web page', () => {
  assert.match(rendered({ ...RESULT, format: 'docx' }), /<bdi class="format">Word<\/bdi>/);
  assert.match(rendered({ ...RESULT, format: 'pdf' }), /<bdi class="format">PDF<\/bdi>/);
  for (const format of ['txt', 'html', 'constructor', '']) {
    assert.doesNotMatch(rendered({ ...RESULT, format }), /class="format"/);
  }
});

test('a result names the pages that it stands for', () => {
  const similar = ['https://example.org/cs/start', 'https://example.org/hr/start'];
  const markup = rendered({ ...RESULT, similar });
  assert.match(markup, /<summary>2 similar pages<\/summary>/);
  assert.match(markup, /<a href="https:\/\/example\.org\/hr\/start">https:\/\/example\.org\/hr\/start<\/a>/);
  assert.doesNotMatch(rendered(RESULT), /similar/);
});

test('the name of the site in a title is apart from the name of the page', () => {
  const markup = rendered({ ...RESULT, title: 'Start & go — Acme 1.5 documentation' });
  assert.match(markup, />Start &amp; go<span class="affix"> — Acme 1\.5 documentation<\/span><\/a>/);
});

test('a news result has its publisher and its date', () => {
  const markup = rendered({ ...RESULT, date: '2024-02-29' }, {}, { paper: 'The <Tide>' });
  assert.match(
    markup,
    /<p class="about" dir="auto"><bdi class="paper">The &lt;Tide&gt;<\/bdi> · <bdi><time /,
  );
});

test('a product has price, shop and availability in the language of the page', () => {
  const offer = { product: 'Lamp', amount: 1234.5, currency: 'EUR', isLowest: false, seller: 'Lamps' };
  const inEnglish = rendered(RESULT, {}, { offer: { ...offer, availability: 'inStock' } });
  assert.match(
    inEnglish,
    /<p class="offer"><b><bdi><bdi dir="ltr">€1,234\.50<\/bdi><\/bdi><\/b> · <bdi>Lamps<\/bdi> · <bdi>In stock<\/bdi><\/p>/,
  );
  const unknown = rendered(
    RESULT,
    {},
    { offer: { ...offer, seller: '', isLowest: true, availability: null } },
  );
  assert.match(unknown, /from <bdi dir="ltr">€1,234\.50<\/bdi><\/bdi><\/b> · <bdi>example\.org<\/bdi><\/p>/);
  const view = { ...plainView(testSite()), words: messagesOf('de')! };
  const detail: ResultDetail = { offer: { ...offer, isLowest: true, availability: 'outOfStock' } };
  const inGerman = String(renderResult(view, readSearch({ q: 'a' }, 10), RESULT, detail));
  assert.match(
    inGerman,
    /ab <bdi dir="ltr">1\.234,50\u00a0€<\/bdi><\/bdi><\/b> · <bdi>Lamps<\/bdi> · <bdi>Nicht auf Lager/,
  );
});

test('title and snippet have the language of the result, or none', () => {
  const languages = (result: SearchResult) =>
    Array.from(
      rendered(result).matchAll(/<(h2|span class="snippet") lang="(.*?)">/g),
      ([, , language]) => language,
    );
  assert.deepEqual(languages({ ...RESULT, language: 'pt-br' }), ['pt-br', 'pt-br']);
  assert.deepEqual(languages(RESULT), ['', '']);
});

test('highlights are marked and the text around them is kept', () => {
  assert.equal(
    highlighted('one two three', [
      [0, 3],
      [8, 13],
    ]),
    '<mark>one</mark> two <mark>three</mark>',
  );
  assert.equal(highlighted('plain', []), 'plain');
});

test('text is escaped inside and outside of a highlight', () => {
  assert.equal(highlighted('<a> & <b>', [[0, 3]]), '<mark>&lt;a&gt;</mark> &amp; &lt;b&gt;');
});

test('overlapping, reversed and too long ranges neither lose nor repeat text', () => {
  const ranges: [number, number][] = [
    [-2, 3],
    [1, 5],
    [4, 2],
    [9, 99],
    [50, 60],
  ];
  const text = highlighted('one two three', ranges).replaceAll(/<\/?mark>/g, '');
  assert.equal(text, 'one two three');
});

test('direction marks are removed, and highlights stay on their words', () => {
  assert.equal(highlighted('\u202eone\u202c two', [[6, 9]]), 'one <mark>two</mark>');
});

test('a page without a title has its URL as title', () => {
  const markup = rendered({ ...RESULT, title: ' ' });
  assert.match(markup, />example\.org\/docs\/start<\/a>/);
});

test('a title is cut between characters', () => {
  const markup = rendered({ ...RESULT, title: '😀'.repeat(300) });
  assert.match(markup, new RegExp(`>${'😀'.repeat(119)}…</a>`));
  assert.ok(rendered({ ...RESULT, title: '😀'.repeat(100) }).includes(`>${'😀'.repeat(100)}</a>`));
});

test('ten megabytes of text are not put on the page', () => {
  const text = 'x'.repeat(10 * 2 ** 20);
  const markup = rendered({ ...RESULT, title: text, snippet: text, highlights: [[5, 9e6]] });
  assert.ok(markup.length < 5000, `${markup.length} characters`);
});

test('a result without a web URL has no link', () => {
  const markup = rendered({ ...RESULT, url: 'javascript:alert(1)' });
  assert.match(markup, /<a class="title" href="#">/);
});

test('a result without a snippet has only its date', () => {
  const markup = rendered({ ...RESULT, snippet: '', date: '2024-02-29' });
  assert.doesNotMatch(markup, /class="snippet"/);
  assert.match(
    markup,
    /<time datetime="2024-02-29" title="Published or changed on Feb 29, 2024">Feb 29, 2024<\/time><\/bdi><\/p>/,
  );
});

test('the menu of a result links to its copy, its site and its score if they exist', () => {
  const markup = rendered(RESULT);
  assert.match(markup, /href="\/search\?q=a&amp;site=example\.org"/);
  assert.doesNotMatch(markup, /\/cached|\/why/);
  assert.match(
    markup,
    /<button form="rule" name="rule" value="block example\.org" aria-pressed="false">never</,
  );
  assert.match(markup, /value="normal example\.org" aria-pressed="true">as usual</);
});

test('no copy is offered of a page with noarchive', () => {
  const archive = archiveOver({ copies: () => [], read: () => null });
  assert.match(rendered(RESULT, { archive }), /href="\/cached\?url=/);
  assert.doesNotMatch(rendered({ ...RESULT, noCopy: true }, { archive }), /\/cached/);
});
