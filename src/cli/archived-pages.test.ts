import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parsePage } from '../page/mod.ts';
import type { PageArchive } from '../serve/mod.ts';
import type { CanonicalUrl } from '../url/mod.ts';
import { readablePages } from './archived-pages.ts';

const URL = 'https://a.example/' as CanonicalUrl;

function told(markup: string): string | undefined {
  const contentType = 'text/html';
  const body = Buffer.from(markup);
  const page = parsePage({ url: URL, contentType, body, xRobotsTag: [] })!;
  const archive: PageArchive = {
    copies: () => [{ at: '20260102000000', fetchedAt: 0 }],
    read: () => ({ page, contentType, body }),
    picture: () => null,
  };
  return readablePages(archive, { now: () => 0 }).read(URL)?.text;
}

test('what is not to be quoted is not told', () => {
  assert.equal(told('<p>Open.<p data-nosnippet>Hidden.<p>More.'), 'Open.\nMore.');
  for (const rule of ['nosnippet', 'noarchive', 'noindex', 'max-snippet:9'])
    assert.equal(told(`<meta name="robots" content="${rule}"><p>Open.`), undefined, rule);
});
