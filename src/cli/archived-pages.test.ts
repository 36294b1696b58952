import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parsePage } from '../page/mod.ts';
import { canonicalize } from '../url/mod.ts';
import { readablePages } from './archived-pages.ts';

const URL = canonicalize('https://example.org/')!;

test('what must not be quoted of a page is not told', () => {
  const told = read('<p>Ada lived in Paris.</p><p data-nosnippet>She hid in Rome.</p><p>She wrote.</p>');
  assert.equal(told?.text, 'Ada lived in Paris.\nShe wrote.');
});

test('a page that allows no copy or no quotation is not told at all', () => {
  for (const directive of ['noarchive', 'nosnippet', 'max-snippet:100', 'noindex'])
    assert.equal(read(`<meta name=robots content="${directive}"><p>Ada</p>`), null, directive);
});

function read(source: string) {
  const input = { url: URL, contentType: 'text/html', body: Buffer.from(source), xRobotsTag: [] };
  const content = { ...input, page: parsePage(input)! };
  const archive = { copies: () => [{ at: '1', fetchedAt: 1 }], read: () => content, picture: () => null };
  return readablePages(archive, { now: () => 2 }).read(URL);
}
