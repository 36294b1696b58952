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
